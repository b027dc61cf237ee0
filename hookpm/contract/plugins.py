"""What hookpm's own plugins and the bridge say to each other, where an agent has no command hooks.

Vendored. Both ends are ours, so the form is plain. The plugin sends one object: `hookpm_plugin`
(the agent's name), `hook_event_name` (the agent's word), `session_id`, `cwd`, and what belongs to
the event in Claude's keys, with the agent's own tool names and arguments. It takes one object back:
`decision` ("deny", "ask", "block") with `reason`, `updatedInput` (all of the agent's arguments),
`additionalContext`, `continue` (false) with `stopReason`, `systemMessage`. Nothing = go on.
"""

from hookpm.contract.answer import Answer, Reply, refusal
from hookpm.contract.forms import asked, context, reason, reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MARK = "hookpm_plugin"


def called_by(agent: str, payload: "dict[str, Any]") -> bool:
    """Did hookpm's plugin for that agent send this?"""
    return payload.get(MARK) == agent


def express(
    event: str, answer: Answer, words: "Sequence[str]", updated: "dict[str, Any] | None"
) -> Reply:
    """The answer for the plugin. words: what it can do at this event; updated: the rewritten input
    under the agent's own names, None where there is none.

    A block after a tool goes as context; at Stop continue:false wins over a block.
    """
    out: "dict[str, Any]" = {}
    said = [word for word in words if word != "updatedInput"]
    after_tool = event == "PostToolUse"
    if refusal(event) not in words or after_tool:
        pass
    elif answer.refuses() and not (event == "Stop" and answer.stop):
        out["decision"] = refusal(event)
        out["reason"] = reason(answer)
    if answer.decision == "ask" and "ask" in words:
        out["decision"] = "ask"
        out["reason"] = answer.reason
    if updated is not None and "updatedInput" in words:
        out["updatedInput"] = updated
        said.append("updatedInput")
    told = context(answer, with_reason=after_tool)
    if told and "additionalContext" in words:
        out["additionalContext"] = told
    if answer.stop and "continue:false" in words:
        out["continue"] = False
        if answer.stop_reason:
            out["stopReason"] = answer.stop_reason
    if answer.system_message and "systemMessage" in words:
        out["systemMessage"] = answer.system_message
    return reply(event, answer, out, said) if words else Reply(None, asked(event, answer))
