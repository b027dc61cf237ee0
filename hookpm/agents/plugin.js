import { spawn } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"

// One shell line per event: it finds the bridge and a python3, and without one of them it allows.
const LINES = {}
// The bridge ends every hook at its own timeout. This one, above the longest of them, is for a
// bridge that does not end: the agent would wait for ever.
const TIME_LIMIT_S = 600

// The project is where this file lies. The agent's folder would not do: a server's is any, and a
// model can change it.
const ROOT = rootFolder()

function rootFolder() {
  try {
    return path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..")
  } catch {
    return ""
  }
}

// A plugin in the user's own folder, loaded into the same process, stands down for this project.
const WIRED = (globalThis[Symbol.for("hookpm.wired")] ??= new Set())
WIRED.add(ROOT)

// Asks the project's hooks about one event of the agent. Gives the bridge's answer, {} where there
// is none; never throws, for an error in here must not look like a refusal.
// voice: tell(text) reaches the user, log(text) whoever looks for trouble.
async function askHooks(event, payload, cwd, voice) {
  try {
    if (!ROOT || !mayHaveHooks(event)) return {}
    const { stdout, stderr, trouble } = await runLine(LINES[event], JSON.stringify(payload), cwd)
    const answer = trouble || !stdout.trim() ? {} : asObject(stdout)
    if (typeof answer.systemMessage === "string") tellOnce(voice, answer.systemMessage)
    for (const line of stderr.split("\n")) logOnce(voice, line)
    if (trouble) throw new Error(trouble)
    return answer
  } catch (error) {
    tellTrouble(voice, error)
    return {}
  }
}

function asObject(text) {
  let value
  try {
    value = JSON.parse(text)
  } catch {
    // told below
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new Error("the bridge's answer is not one JSON object")
  }
  return value
}

function tellTrouble(voice, error) {
  tellOnce(voice, `hookpm: no hook was heard: ${error?.message ?? error}`)
}

function quietly(action) {
  try {
    action()
  } catch {
    // what was to be told is lost; what was decided is not
  }
}

// Messages of hookpm itself are the same at every call, hooks' own may be repeated.
const told = new Set()

function tellOnce(voice, text) {
  if (told.has(text)) return
  for (const line of text.split("\n")) if (line.startsWith("hookpm: ")) told.add(line)
  quietly(() => voice.tell(text))
}

function logOnce(voice, line) {
  if (!line.trim() || told.has(line)) return
  told.add(line)
  quietly(() => voice.log(line))
}

// Is there, or might there be, a hook for this event? Spares starting the bridge for nothing, which
// takes over a hundred times longer. Whatever does not look right is left for the bridge to name.
function mayHaveHooks(event) {
  for (const name of ["hookpm-hooks.json", "hooks.json"]) {
    const file = path.join(ROOT, ".agents", name)
    if (!existsSync(file)) continue
    try {
      if (!statSync(file).isFile()) return true
      const { hooks } = JSON.parse(readFileSync(file, "utf8"))
      if (hooks === null || typeof hooks !== "object" || Array.isArray(hooks)) return true
      const groups = Object.hasOwn(hooks, event) ? hooks[event] : []
      return !Array.isArray(groups) || groups.length > 0
    } catch {
      return true
    }
  }
  return true
}

// Runs a shell line with the input on stdin; waits without blocking the agent.
function runLine(line, input, cwd) {
  return new Promise((resolve) => {
    const out = []
    const err = []
    let timer
    let patience
    let ended = false
    const end = (trouble) => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      clearTimeout(patience)
      const text = (pieces) => Buffer.concat(pieces).toString("utf8")
      resolve({ stdout: text(out), stderr: text(err), trouble })
    }
    const child = spawn("/bin/sh", ["-c", line], {
      cwd: cwd && existsSync(cwd) ? cwd : ROOT,
      env: { ...process.env, HOOKPM_PROJECT_DIR: ROOT },
      detached: true, // a process group of its own, so that all of it can be ended
    })
    timer = setTimeout(() => {
      try {
        process.kill(-child.pid, "SIGKILL")
      } catch {
        // it has just ended
      }
      end(`the bridge did not answer within ${TIME_LIMIT_S} s`)
    }, TIME_LIMIT_S * 1000)
    timer.unref() // it is no reason to stay, where the child is gone
    child.on("error", (error) => end(error.message))
    child.on("close", () => end(""))
    child.on("exit", () => {
      if (!ended) patience = setTimeout(() => end(""), 1000) // something else holds its output
    })
    child.stdout.on("data", (piece) => out.push(piece))
    child.stderr.on("data", (piece) => err.push(piece))
    child.stdin.on("error", () => {}) // it ended without reading: then its answer counts
    child.stdin.end(input)
  })
}

// Makes `target` equal to `wanted` without replacing the object: agents look at no other.
function overwrite(target, wanted) {
  for (const key of Object.keys(target)) if (!Object.hasOwn(wanted, key)) delete target[key]
  Object.assign(target, wanted)
}

function lines(...texts) {
  return texts.filter((text) => typeof text === "string" && text.trim()).join("\n")
}
