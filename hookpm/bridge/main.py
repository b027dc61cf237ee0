"""The bridge's fast path: read the call, find the hooks that match, and mostly end right here.

Vendored. Runs on every tool call of every user, so it imports built-in modules alone until a hook
matches. What has to be done then is in judge.py.
"""

from hookpm.bridge.event import Event, read_hooks_file, translation, write_all
from hookpm.contract.events import CANARY_SESSION, CANARY_TOOL, MATCHED_FIELD
from hookpm.contract.hooksfile import hooks_for
from hookpm.contract.jsontext import JsonError, dumps, loads
from hookpm.contract.matcher import matches


def main(agent: str, name: str, here: str, cache: "str | None", data: bytes) -> int:
    """Answer one event on stdout; returns the exit code.

    agent, name: as the wired line gives them; data: the input.
    """
    event = Event(agent, name, here, cache, data)
    _answer(event)
    return finish(event)


def finish(event: Event) -> int:
    """Say nothing in the agent's own way, where nothing was said; returns the exit code."""
    neutral = getattr(getattr(event, "translate", None), "NEUTRAL", None)
    if neutral is not None and not event.answered:  # this agent takes silence for a refusal
        write_all(1, (dumps(neutral(event.name)) + "\n").encode("ascii"))
    return event.exit_code


def _answer(event: Event) -> None:
    if not read_payload(event):
        from hookpm.bridge import judge

        find_translation(event)
        judge.unreadable_input(event)
        return
    if find_translation(event):
        answer_call(event)


def answer_call(event: Event) -> None:
    """Answer a call that was read, in its caller's own form."""
    event.calls = event.translate.to_claude(event.name, event.payload)
    if is_canary(event):
        from hookpm.bridge import canary

        canary.answer(event)
        return
    run_hooks(event)


def run_hooks(event: Event) -> None:
    """Answer from the hooks that match. Mostly there are none, and nothing more is imported."""
    wrong = find_hooks(event)
    if wrong or event.hooks or event.problems:
        from hookpm.bridge import judge

        if wrong:
            judge.broken(event, wrong)
        else:
            judge.answer(event)


def read_payload(event: Event) -> bool:
    """Read the agent's input; False if it is not one JSON object.

    Hooks get the very bytes where these are sound JSON text: in UTF-8 and without a BOM, which many
    readers stumble over. event.raw is empty otherwise.
    """
    try:
        text = event.raw.decode("utf-8")
        sound = not text.startswith("\ufeff")
    except UnicodeDecodeError:
        text = event.raw.decode("utf-8", "replace")
        sound = False
    try:
        payload = loads(text)
    except JsonError:
        from hookpm.bridge import nesting

        payload = nesting.read(event, text)
        sound = True  # what was read is what hooks get
    if not isinstance(payload, dict):
        return False
    if not sound:
        event.raw = b""
    event.payload = payload
    return True


def find_translation(event: Event) -> bool:
    """Choose the translation of the agent that calls; False where its own line answers anyway."""
    event.translate = translation(event.wired)
    if event.translate.recognises(event.payload):
        return True
    from hookpm.bridge import callers

    return callers.settle(event)


def is_canary(event: Event) -> bool:
    """Is this hookpm's own test of the wiring?"""
    for call in event.calls:
        if call.get("tool_name") == CANARY_TOOL:
            return True
    return event.session().startswith(CANARY_SESSION)


def find_hooks(event: Event) -> str:
    """Fill event.hooks with those that take at least one of the calls; "" or what is wrong."""
    document, wrong = read_hooks_file(event.here)
    if wrong:
        return wrong
    field = MATCHED_FIELD.get(event.name, "")
    hooks, problems = hooks_for(document, event.name)
    event.hooks = [
        hook
        for hook in hooks
        if any(matches(event.name, hook.matcher, call.get(field)) for call in event.calls)
    ]
    for problem in problems:
        event.problems.append(".agents/hooks.json: " + problem.message + "; it does not run")
    return ""
