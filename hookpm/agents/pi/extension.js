
// In a tool_call handler Pi takes an error for a refusal, and a factory that throws stops Pi.
function guarded(handler) {
  return async (event, ctx) => {
    try {
      return await handler(event, ctx)
    } catch (error) {
      tellTrouble(voiceOf(ctx), error)
      return undefined
    }
  }
}

function voiceOf(ctx) {
  return {
    tell(text) {
      if (ctx?.hasUI) ctx.ui.notify(text, "warning")
      else process.stderr.write(`${text}\n`)
    },
    log(text) {
      if (!ctx?.hasUI) process.stderr.write(`${text}\n`)
    },
  }
}

function ask(event, native, ctx, fields) {
  const payload = {
    hookpm_plugin: "pi",
    hook_event_name: native.type,
    session_id: ctx.sessionManager?.getSessionId?.(),
    transcript_path: ctx.sessionManager?.getSessionFile?.(),
    cwd: ctx.cwd,
  }
  return askHooks(event, { ...payload, ...fields }, ctx.cwd, voiceOf(ctx))
}

function call(event) {
  return { tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId }
}

// Only a user who says yes allows; without an interface there is none.
async function consents(ctx, said, event) {
  try {
    const shown = JSON.stringify(said.updatedInput ?? event.input, null, 1).slice(0, 2000)
    const question = lines(said.reason, `${event.toolName} ${shown}`)
    return ctx.hasUI === true && (await ctx.ui.confirm("A hook asks", question)) === true
  } catch {
    return false
  }
}

export default function hookpm(pi) {
  const contexts = new Map() // id of a tool call -> context, until its result is there
  let going = false // a stop was blocked, and no prompt of the user came since
  let stopping = false // a hook said continue:false, and no prompt of the user came since
  let last = "" // what the agent said last

  const stop = (ctx, said) => {
    stopping = true
    if (said.stopReason) tellOnce(voiceOf(ctx), said.stopReason)
  }

  const beforeTool = async (event, ctx) => {
    const said = await ask("PreToolUse", event, ctx, call(event))
    const refused = (why) => ({ block: true, reason: lines(why, said.additionalContext) })
    if (said.continue === false) {
      stop(ctx, said)
      return { ...refused(said.reason || said.stopReason || "Stopped by hook"), terminate: true }
    }
    if (said.decision === "deny") return refused(said.reason)
    if (said.decision === "ask" && !(await consents(ctx, said, event))) {
      return refused(said.reason || "The user did not consent")
    }
    if (said.additionalContext) contexts.set(event.toolCallId, said.additionalContext)
    if (said.updatedInput) overwrite(event.input, said.updatedInput)
    return undefined
  }

  const afterTool = async (event, ctx) => {
    const before = contexts.get(event.toolCallId)
    contexts.delete(event.toolCallId)
    const { content, details, structuredContent, isError } = event
    const tool_response = { content, details, structuredContent, isError }
    const said = await ask("PostToolUse", event, ctx, { ...call(event), tool_response })
    if (said.continue === false) {
      stop(ctx, said)
      ctx.abort()
    }
    const text = lines(before, said.additionalContext)
    if (!text) return undefined
    // Without the structured content beside it, Pi would drop that.
    return { content: [...content, { type: "text", text }], structuredContent }
  }

  const prompted = async (event, ctx) => {
    if (event.source === "extension") return undefined
    going = stopping = false
    const said = await ask("UserPromptSubmit", event, ctx, { prompt: event.text })
    if (said.decision === "block" || said.continue === false) {
      tellOnce(voiceOf(ctx), lines(said.reason, said.stopReason) || "Blocked by hook")
      return { action: "handled" }
    }
    if (!said.additionalContext) return undefined
    const text = `${event.text}\n\n${said.additionalContext}`
    return { action: "transform", text, images: event.images }
  }

  const started = async (event, ctx) => {
    const said = await ask("SessionStart", event, ctx, { source: event.reason })
    const content = said.additionalContext
    if (content) pi.sendMessage({ customType: "hookpm", content, display: false })
  }

  const settling = async (event, ctx) => {
    const completed = (event.outcome ?? "completed") === "completed"
    if (stopping || event.continue || !completed) return undefined
    const fields = { stop_hook_active: going, last_assistant_message: last }
    const said = await ask("Stop", event, ctx, fields)
    if (said.stopReason) tellOnce(voiceOf(ctx), said.stopReason)
    going = said.decision === "block"
    if (!going) return undefined
    const entry = { type: "custom_message", customType: "hookpm", display: true }
    const entries = [...(event.entries ?? []), { ...entry, content: said.reason }]
    return { entries, continue: true }
  }

  const compacting = async (event, ctx) => {
    const trigger = event.reason === "manual" ? "manual" : "auto"
    const fields = { trigger, custom_instructions: event.customInstructions ?? "" }
    const said = await ask("PreCompact", event, ctx, fields)
    if (said.decision !== "block") return undefined
    tellOnce(voiceOf(ctx), said.reason)
    return { cancel: true }
  }

  const ended = async (event, ctx) => {
    await ask("SessionEnd", event, ctx, { reason: event.reason })
  }

  const handlers = {
    session_start: started,
    input: prompted,
    tool_call: beforeTool,
    tool_result: afterTool,
    // Not every call of a turn can be the one that ends it.
    turn_start: (_, ctx) => (stopping ? ctx.abort() : undefined),
    turn_end: (event) => {
      const blocks = event.message?.role === "assistant" ? event.message.content : []
      last = lines(...blocks.filter((block) => block.type === "text").map((block) => block.text))
    },
    agent_before_settle: settling,
    session_before_compact: compacting,
    session_shutdown: ended,
  }
  for (const [name, handler] of Object.entries(handlers)) {
    try {
      pi.on(name, guarded(handler))
    } catch {
      // a Pi without this event
    }
  }
}
