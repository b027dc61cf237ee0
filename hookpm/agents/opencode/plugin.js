
// A refusal has to be thrown; everything else that is thrown in here is caught.
class Refusal extends Error {}

function settledWithin(promise, milliseconds) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

// OpenCode calls every export of this file, so there is one.
export const Hookpm = async ({ client, directory }) => {
  const loadedAt = Date.now()
  const sessions = new Map() // id -> promise of what is known of the session
  const contexts = new Map() // id of a tool call -> context, until its result is there
  const running = new Set() // what the end of the process has to wait for
  let servers = []

  // Under the terminal interface, stderr would be drawn over it.
  const plain = ["run", "serve", "web", "acp"].some((word) => process.argv.includes(word))
  const voice = {
    tell(message) {
      if (plain) process.stderr.write(`${message}\n`)
      else client.tui.showToast({ body: { message, variant: "warning" } }).catch(() => {})
    },
    log(message) {
      const body = { service: "hookpm", level: "warn", message }
      if (plain) process.stderr.write(`${message}\n`)
      else client.app.log({ body }).catch(() => {})
    },
  }

  const guarded = (handler) => async (...given) => {
    try {
      await handler(...given)
    } catch (error) {
      if (error instanceof Refusal) throw error
      tellTrouble(voice, error)
    }
  }

  const ask = (event, native, sessionID, fields) => {
    const payload = { hookpm_plugin: "opencode", hook_event_name: native, session_id: sessionID }
    const asking = askHooks(event, { ...payload, cwd: directory, ...fields }, directory, voice)
    running.add(asking)
    return asking.finally(() => running.delete(asking))
  }

  const session = (id) => {
    if (!sessions.has(id)) sessions.set(id, describe(id))
    return sessions.get(id)
  }

  // child: of a subagent. working: there was a prompt, and no stop since (after a compaction it is
  // idle too). last: what the agent said last. going: a stop was blocked, and no prompt of the user
  // came since; goal: the reason that was given then, until it comes back as a prompt.
  const describe = async (id) => {
    const now = { started: false, working: false, aborted: false, going: false, goal: null }
    const known = { ...now, child: false, resumed: false, context: "", last: "", message: {} }
    try {
      const { data } = await settledWithin(client.session.get({ path: { id } }), 5000)
      known.child = Boolean(data?.parentID)
      known.resumed = data?.time?.created < loadedAt
    } catch {
      // then it is taken for a new session of the user's
    }
    return known
  }

  const abort = async (id) => {
    try {
      await settledWithin(client.session.abort({ path: { id } }), 5000)
    } catch {
      // the refusal that follows stops this call at least
    }
  }

  const call = (input, args) => ({
    tool_name: input.tool,
    tool_input: args,
    tool_use_id: input.callID,
    mcp_servers: servers,
  })

  const beforeTool = async (input, output) => {
    const fields = call(input, output.args)
    const said = await ask("PreToolUse", "tool.execute.before", input.sessionID, fields)
    if (said.continue === false) {
      await abort(input.sessionID)
      if (said.stopReason) tellOnce(voice, said.stopReason)
      throw new Refusal(said.reason || said.stopReason || "Stopped by hook")
    }
    if (said.decision === "deny") throw new Refusal(lines(said.reason, said.additionalContext))
    if (said.additionalContext) contexts.set(input.callID, said.additionalContext)
    if (said.updatedInput) overwrite(output.args, said.updatedInput)
  }

  const afterTool = async (input, output) => {
    const before = contexts.get(input.callID)
    contexts.delete(input.callID)
    const fields = { ...call(input, input.args), tool_response: output }
    const said = await ask("PostToolUse", "tool.execute.after", input.sessionID, fields)
    const text = lines(before, said.additionalContext)
    if (text && typeof output.output === "string") output.output += `\n\n${text}`
    else if (text && Array.isArray(output.content)) output.content.push({ type: "text", text })
    if (said.continue === false) {
      if (said.stopReason) tellOnce(voice, said.stopReason)
      await abort(input.sessionID)
    }
  }

  const prompted = async (input, output) => {
    const known = await session(input.sessionID)
    if (known.child) return
    const written = output.parts.filter((part) => part.type === "text" && !part.synthetic)
    const prompt = lines(...written.map((part) => part.text))
    const { agent, model } = output.message ?? {}
    known.message = { agent, model }
    const ours = known.goal !== null && prompt === known.goal
    known.goal = null
    known.working = true
    if (ours) return
    known.going = known.aborted = false
    if (!known.started) {
      known.started = true
      const source = known.resumed ? "resume" : "startup"
      const said = await ask("SessionStart", "chat.message, the first", input.sessionID, { source })
      known.context = said.additionalContext ?? ""
    }
    const said = await ask("UserPromptSubmit", "chat.message", input.sessionID, { prompt })
    if (said.decision === "block" || said.continue === false) {
      const why = lines(said.reason, said.stopReason) || "Blocked by hook"
      tellOnce(voice, why)
      throw new Refusal(why)
    }
    const text = lines(known.context, said.additionalContext)
    if (!text) return
    const { id, messageID, sessionID } = output.parts[0]
    output.parts.push({ id: `${id}h`, messageID, sessionID, type: "text", text, synthetic: true })
    known.context = ""
  }

  const stopped = async (id) => {
    const known = await session(id)
    if (known.child || known.aborted || !known.working) return
    known.working = false
    const fields = { stop_hook_active: known.going, last_assistant_message: known.last }
    const said = await ask("Stop", "session.idle", id, fields)
    if (said.stopReason) tellOnce(voice, said.stopReason)
    known.going = said.decision === "block"
    if (!known.going) return
    if (process.argv.includes("run")) {
      tellOnce(voice, `hookpm: \`opencode run\` cannot go on, as a hook wanted: ${said.reason}`)
      return
    }
    known.goal = said.reason
    const body = { ...known.message, parts: [{ type: "text", text: said.reason }] }
    const { error } = await client.session.promptAsync({ path: { id }, body })
    if (error) throw new Error("OpenCode took no new prompt after a blocked stop")
  }

  const compacting = async (input, output) => {
    await ask("PreCompact", "experimental.session.compacting", input.sessionID, { trigger: "auto" })
  }

  const ended = async (id) => {
    const known = await session(id)
    if (!known.started) return
    known.started = false
    await ask("SessionEnd", "dispose", id, { reason: "other" })
  }

  const happened = async ({ event }) => {
    const id = event.properties?.sessionID ?? event.properties?.info?.id
    if (event.type === "session.idle") {
      const stopping = stopped(id)
      running.add(stopping)
      await stopping.finally(() => running.delete(stopping))
    } else if (event.type === "session.error" && sessions.has(id)) {
      if (event.properties.error?.name === "MessageAbortedError") (await session(id)).aborted = true
    } else if (event.type === "session.deleted" && sessions.has(id)) {
      await ended(id)
    }
  }

  const handlers = {
    config: async (config) => {
      servers = Object.keys(config?.mcp ?? {})
    },
    event: happened,
    "chat.message": prompted,
    "tool.execute.before": beforeTool,
    "tool.execute.after": afterTool,
    "experimental.text.complete": async (input, output) => {
      const known = await session(input.sessionID)
      known.last = output.text
    },
    "experimental.session.compacting": compacting,
    dispose: async () => {
      await Promise.allSettled([...running])
      await Promise.all([...sessions.keys()].map(ended))
    },
  }
  const names = Object.keys(handlers)
  return Object.fromEntries(names.map((name) => [name, guarded(handlers[name])]))
}
