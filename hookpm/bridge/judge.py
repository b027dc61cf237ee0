"""The bridge's slow path: run the hooks that match and answer in the agent's own form.

Vendored. Rewriting hooks go first, in file order, each seeing what the one before made of the
input; then all others judge the final input side by side: a guard must see what will run.
"""

from hookpm.bridge import packs, reply, session
from hookpm.bridge.main import Event, write_all
from hookpm.contract import answer as answers
from hookpm.contract.answer import Answer
from hookpm.contract.events import MATCHED_FIELD, TOOL_EVENTS, tool_kind
from hookpm.contract.join import join
from hookpm.contract.jsontext import dumps
from hookpm.contract.matcher import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookpm.bridge.spawn import Job
    from hookpm.contract.hooksfile import Hook


class Said:
    """One hook's answer to one call, and the bytes it came in."""

    __slots__ = ("answer", "call", "exit_code", "hook", "stdout")

    def __init__(self, hook: "Hook", call: int, job: "Job", answer: Answer) -> None:
        self.hook = hook
        self.call = call
        self.exit_code = job.exit_code
        self.stdout = bytes(job.stdout)
        self.answer = answer


def answer(event: Event) -> None:
    """Run the event's hooks and print what the agent is to hear."""
    settings, wrong = packs.load(event.here, event.hooks)
    memory = session.load(event.cache, event.agent, event.session())
    notes = reply.Notes(event, memory)
    if wrong:
        notes.tell("packs", wrong)
    event.hooks = [h for h in event.hooks if packs.runs_in(settings, h, event.agent)]
    if event.name == "UserPromptSubmit" and reply.is_continuation(event, memory):
        return
    said = _run_hooks(event, settings)
    for one in said:
        _note(notes, one, settings)
    reply.send(event, said, _join(event, said, settings, notes), notes)


def _run_hooks(event: Event, settings: "packs.Settings") -> "list[Said]":
    """Answers in file order, call by call. A rewrite changes event.calls[i] for what runs later."""
    rewriters = [h for h in event.hooks if packs.of(settings, h).rewrites]
    others = [h for h in event.hooks if h not in rewriters]
    said: "list[Said]" = []
    original = list(event.calls)
    for hook in rewriters:
        for one in _run(event, [hook], settings, original):
            said.append(one)
            rewritten = one.answer.updated_input
            if rewritten is not None and len(event.calls) == 1:
                event.calls[one.call] = {**event.calls[one.call], "tool_input": rewritten}
    said += _run(event, others, settings, original)
    order = {id(hook): number for number, hook in enumerate(event.hooks)}
    return sorted(said, key=lambda one: (one.call, order[id(one.hook)]))


def _run(
    event: Event, hooks: "list[Hook]", settings: "packs.Settings", original: "list[dict[str, Any]]"
) -> "list[Said]":
    """Run hooks side by side, each on every call that its matcher takes."""
    from hookpm.bridge import spawn

    field = MATCHED_FIELD.get(event.name, "")
    work = [
        (hook, number)
        for number in range(len(event.calls))
        for hook in hooks
        if matches(event.name, hook.matcher, original[number].get(field))
    ]
    jobs = [
        spawn.Job(
            packs.command(hook),
            packs.environment(settings, hook, event.here, event.root),
            _input(event, number),
            hook.timeout,
        )
        for hook, number in work
    ]
    spawn.run_all(jobs)
    return [
        Said(hook, number, job, _read(event, hook, job, settings))
        for (hook, number), job in zip(work, jobs)  # noqa: B905 (3.8)
    ]


def _input(event: Event, number: int) -> bytes:
    """The hook's stdin: the agent's own bytes with our two fields spliced in, where it is Claude's
    payload as it came; else the translated call."""
    call = event.calls[number]
    extra: "dict[str, Any]" = {"harness": event.agent}
    if event.name in TOOL_EVENTS:
        kind = "write" if call.get("tool_name") == "apply_patch" else ""
        extra["tool_kind"] = kind or tool_kind(str(call.get("tool_name") or ""))
    if call is event.payload and call:
        return event.raw.rstrip()[:-1] + b", " + dumps(extra)[1:].encode("ascii")
    return dumps({**call, **extra}).encode("ascii")


def _read(event: Event, hook: "Hook", job: "Job", settings: "packs.Settings") -> Answer:
    """The hook's answer; a failure allows, unless the hook says on_failure = "block"."""
    if job.error or job.late:
        said = Answer()
        said.failure = job.error or "ran past its %g seconds" % hook.timeout
    else:
        said = answers.read(event.name, job.exit_code, bytes(job.stdout), bytes(job.stderr))
    if said.failure and packs.of(settings, hook).on_failure == "block":
        said.decision = answers.refusal(event.name)
        said.reason = "%s failed (%s), and it is set to block then" % (hook.name(), said.failure)
    return said


def _note(notes: "reply.Notes", one: Said, settings: "packs.Settings") -> None:
    name = one.hook.name()
    if one.answer.failure:
        what = "blocks" if packs.of(settings, one.hook).on_failure == "block" else "allows"
        notes.tell("failed " + name, "%s failed and %s: %s" % (name, what, one.answer.failure))
    for remark in one.answer.notes:
        notes.add("%s: %s" % (name, remark))


def _join(
    event: Event, said: "list[Said]", settings: "packs.Settings", notes: "reply.Notes"
) -> Answer:
    for one in said:
        fallback = packs.of(settings, one.hook).fallback
        reply.fall_back(event, one.hook, one.answer, fallback, notes)
    joined = join(event.name, [one.answer for one in said])
    rewriters = [one for one in said if one.answer.updated_input is not None]
    if joined.updated_input is None:
        return joined
    if len(event.calls) > 1:
        joined.updated_input = None
        notes.add("updatedInput was left out: this call touches several files")
        return joined
    chained = [one for one in rewriters if packs.of(settings, one.hook).rewrites]
    counting = chained[-1:] or rewriters[:1]
    joined.updated_input = counting[0].answer.updated_input
    for one in rewriters:
        if one not in counting and one not in chained:
            notes.add(one.hook.name() + ": updatedInput was left out: another hook's counts")
    return joined


def unreadable_input(event: Event) -> None:
    """The agent sent what is no JSON object: hooks cannot judge it."""
    from hookpm.bridge.main import find_hooks, find_translation

    event.payload = {}
    find_translation(event)
    event.calls = [{}]
    text = "the agent's input is not one JSON object"
    held = []
    if find_hooks(event):
        settings, _ = packs.load(event.here, event.hooks)
        held = [h for h in event.hooks if packs.of(settings, h).on_failure == "block"]
    broken(event, text, blocks=[hook.name() for hook in held])


def broken(event: Event, text: str, blocks: "list[str] | None" = None) -> None:
    """Something of ours is broken: allow and tell the user, unless a hook is set to block then."""
    notes = reply.Notes(event, session.load(event.cache, event.agent, event.session()))
    notes.tell("broken", text + ", so no hook ran")
    said = Answer()
    if blocks:
        said.decision = answers.refusal(event.name)
        said.reason = "%s cannot judge: %s" % (", ".join(blocks), text)
    reply.send(event, [], said, notes)


def note(text: str) -> None:
    """One line on stderr."""
    write_all(2, ("hookpm: " + text + "\n").encode("utf-8", "backslashreplace"))


def print_json(document: "dict[str, Any]") -> None:
    """The one JSON object that the agent reads."""
    write_all(1, (dumps(document) + "\n").encode("ascii"))
