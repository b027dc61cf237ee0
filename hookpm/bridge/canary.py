"""hookpm's own test of the wiring: a reserved call that the bridge answers by itself.

Vendored. The refusal goes through the agent's translation like any hook's, so what comes out proves
line, interpreter, bridge, hooks file and translation at once. No hook runs.
"""

from hookpm.bridge import reply
from hookpm.bridge.event import Event, read_hooks_file
from hookpm.contract.answer import Answer, refusal
from hookpm.contract.events import CANARY_SESSION, CANNOT_BLOCK
from hookpm.contract.hooksfile import hooks_for


def answer(event: Event, found: str = "") -> None:
    """Answer the canary in the agent's form, or on stderr where the event can say nothing.

    found: what to say instead of the number of hooks.
    """
    if not found:
        document, wrong = read_hooks_file(event.here)
        found = wrong or str(len(hooks_for(document, event.name)[0])) + " hooks"
    text = "hookpm canary " + _nonce(event) + ": " + found
    said = Answer()
    if event.name in CANNOT_BLOCK:
        said.contexts.append(text)
    else:
        said.decision = refusal(event.name)
        said.reason = text
    made = event.translate.from_claude(event.name, said, event.payload, event.calls)
    if made.out is None:
        reply.note(text)
    else:
        event.answered = True
        reply.print_json(made.out)


def _nonce(event: Event) -> str:
    for call in event.calls:
        given = call.get("tool_input")
        if isinstance(given, dict) and "nonce" in given:
            return str(given["nonce"])
    return event.session()[len(CANARY_SESSION) + 1 :]
