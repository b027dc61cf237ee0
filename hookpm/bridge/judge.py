"""The bridge's slow path: run the hooks that match and answer in the agent's own form.

Vendored. Rewriting hooks go first, in file order, each seeing what the one before made of the
input; then all others judge the final input side by side: a guard must see what will run. Where
one of those rewrites it too, all but that one judge once more what it made of it.
"""

from hookpm.bridge import reply
from hookpm.bridge.event import Event, read_hooks_file
from hookpm.bridge.job import Task, job
from hookpm.contract import answer as answers
from hookpm.contract.answer import Answer
from hookpm.contract.events import MATCHED_FIELD, TOOL_EVENTS, tool_kind
from hookpm.contract.hooksfile import hooks_for
from hookpm.contract.join import join
from hookpm.contract.jsontext import dumps
from hookpm.contract.matcher import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hookpm.bridge.job import Job

_MANY_BRACKETS = 200  # fewer cannot be nested too deep
_LONGEST_NUMBER = b"0" * 4300  # digits; more is an error to Python's json
_PLAIN = bytes([0 if n < 32 else 48 if 48 <= n <= 57 else n for n in range(256)])


class Said:
    """One hook's answer to one call, and the bytes it came in. call: its index in event.calls."""

    __slots__ = ("answer", "call", "exit_code", "stdout", "task")

    def __init__(self, task: Task, call: int, job: "Job", answer: Answer) -> None:
        self.task = task
        self.call = call
        self.exit_code = job.exit_code
        self.stdout = bytes(job.stdout)
        self.answer = answer


def answer(event: Event) -> None:
    """Run the event's hooks and print what the agent is to hear."""
    if event.raw.count(b"[") + event.raw.count(b"{") > _MANY_BRACKETS:
        from hookpm.bridge import nesting

        nesting.flatten(event)
    notes = reply.Notes(event)
    for problem in event.problems:
        notes.tell(problem, problem)
    tasks = _tasks(event, notes)
    if event.name == "UserPromptSubmit" and reply.is_continuation(event, notes):
        return
    said = _run_hooks(event, tasks, notes)
    joined = join(event.name, [one.answer for one in said])
    _allow_all_or_none(event, said, joined, notes)
    reply.send(event, said, joined, notes)


def _allow_all_or_none(
    event: Event, said: "list[Said]", joined: Answer, notes: "reply.Notes"
) -> None:
    """A call that touches several files is allowed only if each of them is."""
    allowed = {one.call for one in said if one.answer.decision == "allow"}
    if joined.decision == "allow" and len(allowed) < len(event.calls):
        joined.decision = joined.reason = ""
        notes.add("allow was left out: it was not given for all that this call touches")


def _tasks(event: Event, notes: "reply.Notes") -> "list[Task]":
    """The matching hooks with their packs' terms, in file order."""
    tasks = [Task(hook, number) for number, hook in enumerate(event.hooks)]
    if any(hook.pack for hook in event.hooks):
        from hookpm.bridge import packs

        tasks, wrong = packs.settle(event, tasks)
        if wrong:
            notes.tell("packs", wrong)
    return tasks


def _run_hooks(event: Event, tasks: "list[Task]", notes: "reply.Notes") -> "list[Said]":
    """The answers in file order, call by call; of rewrites, the one that counts is in the first
    answer that has any."""
    said: "list[Said]" = []
    for task in tasks:
        if task.rewrites:
            for one in _run(event, [task], notes):
                _take_rewrite(event, one, said, notes)
                said.append(one)
    chained = [one for one in said if one.answer.updated_input is not None]
    for one in chained[:-1]:
        one.answer.updated_input = None  # the last one's holds them all
    others = _run(event, [task for task in tasks if not task.rewrites], notes)
    said = sorted(said + others, key=_place)
    late = [one for one in others if one.answer.updated_input is not None]
    if not late or any(one.answer.decision in ("deny", "defer") for one in said):
        return said
    return _judge_again(event, tasks, late[0], said, notes)


def _judge_again(
    event: Event, tasks: "list[Task]", chosen: Said, said: "list[Said]", notes: "reply.Notes"
) -> "list[Said]":
    """A hook rewrote the input after the others had judged it: they judge what it made of it, and
    what they say now is what they say. Its rewrite is the only one that still counts."""
    if chosen.answer.updated_input != event.calls[0].get("tool_input"):
        _take_rewrite(event, chosen, [], notes)
        others = [task for task in tasks if task is not chosen.task]
        said = sorted([chosen, *_run(event, others, notes)], key=_place)
    for one in said:
        if one is not chosen and one.answer.updated_input is not None:
            if one.answer.updated_input != chosen.answer.updated_input:
                name = one.task.hook.name()
                notes.add(name + ": updatedInput was left out: another hook's counts")
            one.answer.updated_input = None
    return said


def _take_rewrite(event: Event, one: Said, before: "list[Said]", notes: "reply.Notes") -> None:
    """What runs later sees the rewritten input. An "allow" given before was for another input."""
    updated = one.answer.updated_input
    if updated is None or updated == event.calls[0].get("tool_input"):
        return
    event.calls[0] = {**event.calls[0], "tool_input": updated}
    for earlier in before:
        if earlier.answer.decision == "allow":
            earlier.answer.decision = earlier.answer.reason = ""
            name = earlier.task.hook.name()
            notes.add(name + ": allow was left out: the input was rewritten after it")


def _place(one: Said) -> "tuple[int, int]":
    return one.call, one.task.number


def _run(event: Event, tasks: "list[Task]", notes: "reply.Notes") -> "list[Said]":
    """Run hooks side by side, each on every call that its matcher takes."""
    field = MATCHED_FIELD.get(event.name, "")
    work = [
        (task, number)
        for number, call in enumerate(event.calls)
        for task in tasks
        if matches(event.name, task.hook.matcher, call.get(field))
    ]
    if not work:
        return []
    inputs = {number: _input(event, number) for _, number in work}
    jobs = [job(event, task, inputs[number]) for task, number in work]
    _run_all(jobs)
    said = []
    for (task, number), done in zip(work, jobs):  # noqa: B905 (3.8)
        said.append(Said(task, number, done, _read(event, task, done, notes)))
    return said


def _run_all(jobs: "Sequence[Job]") -> None:
    requests = [job for job in jobs if job.request is not None]
    if not requests:
        _run_commands(jobs)
        return
    from hookpm.bridge import http

    wait = http.start(requests)
    commands = [job for job in jobs if job.request is None]
    if commands:
        _run_commands(commands)
    wait()


def _run_commands(jobs: "Sequence[Job]") -> None:
    try:
        from hookpm.bridge.spawn import run_all
    except ImportError:
        from hookpm.bridge.spawn_portable import run_all
    run_all(jobs)


def _input(event: Event, number: int) -> bytes:
    """The hook's stdin: the agent's own bytes with our two fields spliced in, where it is Claude's
    payload as it came; else the translated call."""
    call = event.calls[number]
    extra: "dict[str, Any]" = {"harness": event.agent}
    if event.name in TOOL_EVENTS:
        kind = "write" if call.get("tool_name") == "apply_patch" else ""
        extra["tool_kind"] = kind or tool_kind(str(call.get("tool_name") or ""))
    if call is event.payload and call:
        raw = event.raw.strip()
        if raw and _is_sound(raw):
            return raw[:-1] + b", " + dumps(extra)[1:].encode("ascii")
    return dumps({**call, **extra}).encode("ascii")


def _is_sound(raw: bytes) -> bool:
    """Will every JSON reader take it? Some stumble over bare control characters in a text, which
    the bridge reads all the same, and over endless numbers."""
    plain = raw.translate(_PLAIN)
    return b"\0" not in plain and _LONGEST_NUMBER not in plain


def _read(event: Event, task: Task, done: "Job", notes: "reply.Notes") -> Answer:
    """The hook's answer, as far as this agent can hear it; a failure allows, unless the hook says
    on_failure = "block"."""
    name = task.hook.name()
    if done.error or done.late:
        said = Answer()
        said.failure = done.error or "ran past its %g seconds" % task.hook.timeout
    else:
        said = answers.read(event.name, done.exit_code, bytes(done.stdout), bytes(done.stderr))
    for remark in said.notes:
        notes.add("%s: %s" % (name, remark))
    if said.failure:
        blocks = task.on_failure == "block"
        if blocks:
            said.decision = answers.refusal(event.name)
            said.reason = "%s failed (%s), and it is set to block then" % (name, said.failure)
        what = "blocks" if blocks else "allows"
        notes.tell("failed " + name, "%s failed and %s: %s" % (name, what, said.failure))
    reply.fall_back(event, name, said, task.fallback, notes)
    return said


def unreadable_input(event: Event) -> None:
    """The agent sent what is no JSON object: hooks cannot judge it, and any of them might."""
    event.payload = {}
    text = "the agent's input is not one JSON object" if event.raw else "the agent sent no input"
    document, wrong = read_hooks_file(event.here)
    event.hooks = [] if wrong else hooks_for(document, event.name)[0]
    notes = reply.Notes(event)
    held = [t.hook.name() for t in _tasks(event, notes) if t.on_failure == "block"]
    if held or event.hooks:
        broken(event, text, blocks=held)
    elif wrong:
        broken(event, wrong)


def broken(event: Event, text: str, blocks: "Sequence[str]" = ()) -> None:
    """Something of ours is broken: allow and tell the user, unless hooks are set to block then."""
    notes = reply.Notes(event)
    notes.tell("broken", text + ", so no hook ran")
    said = Answer()
    if blocks:
        said.decision = answers.refusal(event.name)
        said.reason = "%s cannot judge: %s" % (", ".join(blocks), text)
    reply.send(event, [], said, notes)
