"""The cases of a pack, cases/*.toml: an input for its hooks and the answer that is expected."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from hookpm.contract.events import CAPABILITIES, DENIES, TOOL_EVENTS
from hookpm.edit import tomltext
from hookpm.packs import options, rules
from hookpm.packs.content import Content
from hookpm.packs.manifest import Manifest

if TYPE_CHECKING:
    from hookpm.contract.answer import Answer

FOLDER = "cases"

Outcome = Literal["deny", "ask", "allow", "defer", "block", "rewrite", "context", "stop", "none"]

# The capability word that an outcome needs at its event.
_WORD = {"rewrite": "updatedInput", "context": "additionalContext", "stop": "continue:false"}
_OUTCOME = {word: outcome for outcome, word in _WORD.items()}


class _CaseTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    event: str
    expect: Outcome
    tool: str | None = None
    input: dict[str, Any] = {}
    response: Any = None
    reason: str | None = None
    rewrite: dict[str, Any] | None = None
    context: str | None = None
    options: dict[str, Any] = {}


class _CaseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    case: tuple[_CaseTable, ...] = ()


class Case(NamedTuple):
    """One case, and where it stands.

    input: at tool events Claude's tool_input, elsewhere the event's own fields. response: the
    tool's, at PostToolUse. options: all of the pack's, merged. reason, context: parts of the
    texts; rewrite: keys and values that the rewritten input must have. file: path in the pack.
    """

    name: str
    event: str
    tool: str | None
    input: dict[str, Any]
    response: Any
    expect: Outcome
    reason: str | None
    rewrite: dict[str, Any] | None
    context: str | None
    options: dict[str, Any]
    file: str
    line: int | None

    @property
    def place(self) -> str:
        """`file:line`."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def payload(self) -> dict[str, Any]:
        """The input in Claude's form, without what the runner knows (session, cwd, ...)."""
        if self.tool is None:
            return {"hook_event_name": self.event, **self.input}
        fields = {"tool_name": self.tool, "tool_input": self.input}
        if self.event == "PostToolUse":
            fields["tool_response"] = {} if self.response is None else self.response
        return {"hook_event_name": self.event, **fields}


def of(content: Content, where: Path | str = "") -> tuple[Case, ...]:
    """All cases of a pack, file by file. `where`: the pack's place, for messages.

    Raises FileFormatError with file and line.
    """
    found: list[Case] = []
    for path, entry in content.files.items():
        if path.startswith(f"{FOLDER}/") and path.endswith(".toml"):
            place = Path(where) / path
            text = tomltext.decode(entry.data, place)
            found += (c._replace(file=path) for c in parse(text, place, content.manifest))
    return tuple(found)


def parse(text: str, file: Path | str, manifest: Manifest) -> tuple[Case, ...]:
    """The cases in one file of the pack with this manifest. Raises FileFormatError."""
    tables = tomltext.convert(tomltext.parse(text, file), _CaseFile, text, file).case
    cases = []
    lines = _lines(text, len(tables))
    for index, table in enumerate(tables):
        _check(table, index, text, file)
        merged = options.merged(
            manifest, table.options, text=text, file=file, at=("case", index, "options")
        )
        fields = {f: getattr(table, f) for f in table.__struct_fields__ if f != "options"}
        cases.append(Case(**fields, options=merged, file=str(file), line=lines[index]))
    return tuple(cases)


def complaint(case: Case, answer: Answer) -> str | None:
    """What the joined answer of the pack's hooks lacks for the case; None if it is as expected."""
    got = _outcomes(answer)
    if case.expect not in got:
        reason = f": {answer.reason}" if answer.reason else ""
        return f"expected {case.expect}, got {' and '.join(got)}{reason}"
    if case.reason is not None:
        said = answer.stop_reason if case.expect == "stop" else answer.reason
        if case.reason not in said:
            return f"the reason lacks {case.reason!r}: {said!r}"
    if case.context is not None and not any(case.context in text for text in answer.contexts):
        return f"no context has {case.context!r}: {answer.contexts!r}"
    if case.rewrite is not None:
        return _rewrite_complaint(case.rewrite, answer.updated_input or {})
    return None


def _lines(text: str, count: int) -> list[int | None]:
    """The line of each case; a pack may have hundreds, so the text is gone through once."""
    starts = re.finditer(r"^[ \t]*\[\[[ \t]*case[ \t]*\]\]", text, re.MULTILINE)
    found: list[int | None] = [text.count("\n", 0, start.start()) + 1 for start in starts]
    if len(found) == count:
        return found
    # Written in another way, or a text over several lines holds such a line.
    return [tomltext.line_of(text, ("case", index)) for index in range(count)]


def _outcomes(answer: Answer) -> list[str]:
    """Everything that an answer does, as words of `expect`; ["none"] if nothing."""
    got = [answer.decision] if answer.decision else []
    if answer.updated_input is not None:
        got.append("rewrite")
    if answer.contexts:
        got.append("context")
    if answer.stop:
        got.append("stop")
    if not got and answer.system_message:
        return ["a system message"]
    return got or ["none"]


def _rewrite_complaint(wanted: Mapping[str, Any], got: Mapping[str, Any]) -> str | None:
    for key, value in wanted.items():
        if key not in got:
            return f"the rewritten input has no {key}"
        if got[key] != value:
            return f"{key} was rewritten to {got[key]!r}, not {value!r}"
    return None


def _check(table: _CaseTable, index: int, text: str, file: Path | str) -> None:
    """Raise FileFormatError for what a case's types do not say."""

    def fail(key: str, message: str, hint: str | None = None) -> Exception:
        return tomltext.failure(
            text, file, ("case", index, key), f"case {table.name!r}: {message}", hint=hint
        )

    if found := rules.event_problem(table.event):
        raise fail("event", *found)
    of_tool = table.event in TOOL_EVENTS
    if of_tool and not table.tool:
        raise fail("event", f"{table.event} needs a tool", 'such as tool = "Bash"')
    if not of_tool and table.tool is not None:
        raise fail("tool", f"{table.event} has no tool", "give the event's fields as input")
    if table.response is not None and table.event != "PostToolUse":
        raise fail("response", f"{table.event} comes without a tool's response")
    word = _WORD.get(table.expect, table.expect)
    if word != "none" and word not in CAPABILITIES[table.event]:
        able = [_OUTCOME.get(w, w) for w in CAPABILITIES[table.event] if w != "systemMessage"]
        meant = "deny" if word == "block" and "deny" in able else None
        hint = (
            f"did you mean {meant}?" if meant else f"possible there: {', '.join([*able, 'none'])}"
        )
        raise fail("expect", f"{table.expect} cannot happen at {table.event}", hint)
    _check_details(table, fail)
    for key in ("input", "response"):
        if not _is_json(getattr(table, key)):
            raise fail(key, f"{key} holds a date or a number that JSON lacks")


def _is_json(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


def _check_details(table: _CaseTable, fail: Any) -> None:
    if table.expect == "none" and (table.reason or table.context or table.rewrite):
        raise fail("expect", "where none is expected there is no text to look for")
    if table.rewrite is not None and table.event not in DENIES:
        raise fail("rewrite", f"nothing is rewritten at {table.event}")
    if table.reason is not None and table.expect in ("rewrite", "context"):
        raise fail("reason", f"a {table.expect} has no reason", "look for a part of its `context`")
