"""A review as text: everything new that would run, visible to the last character. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hookpm.project.review import plaintext
from hookpm.project.review.review import (
    FileChange,
    HookChange,
    PackChange,
    SettingChange,
    mode_change,
)
from hookpm.project.review.running import RunFile

LINES = 400  # of one file; what is left out is counted
_DIFF_LIMIT = 20_000  # lines; beyond that both sides are no longer laid beside each other
# The terms that go without saying.
_PLAIN: Mapping[str, Any] = {
    "needs": [],
    "uses": [],
    "fallback": {},
    "on_failure": "allow",
    "agents": None,
    "os": None,
}


class FileText(NamedTuple):
    """What there is to read of a file that changed. kind: text (all of it), diff, binary, unknown
    or nothing; lines: escaped, all of them."""

    kind: str
    lines: Sequence[str]


def summary(changes: Sequence[PackChange]) -> list[str]:
    """Every new command with its terms, every setting, and the name of every file."""
    found: list[str] = []
    for pack in changes:
        found.append(_head(pack))
        for hook in pack.hooks:
            found += _hook(hook)
        found += [f"  {_setting(each)}" for each in pack.settings]
        found += [f"  {_file(each)}" for each in pack.files]
    return found


def contents(
    changes: Sequence[PackChange], limit: int | None = LINES, *, more: str = "--dry-run"
) -> list[str]:
    """The text of every file that is new, and the differences of those that changed.

    limit: lines of each file; None for all of them. What is left out is counted; more: the option
    that shows it.
    """
    found: list[str] = []
    for pack in changes:
        for each in pack.files:
            text = file_text(each)
            if text.kind == "nothing":
                continue
            found += ["", f"--- {_path(pack, each)}"]
            cut = len(text.lines) if limit is None else limit
            found += text.lines[:cut]
            if len(text.lines) > cut:
                found.append(_left_out(text, cut, each, more))
    return found


def _left_out(text: FileText, cut: int, each: FileChange, more: str) -> str:
    left = len(text.lines) - cut
    size = len(each.now.data or b"") if each.now else 0
    return (
        f"... {left} MORE {'LINE IS' if left == 1 else 'LINES ARE'} NOT SHOWN of {len(text.lines)} "
        f"({size} bytes in all); {more} shows them"
    )


def file_text(each: FileChange) -> FileText:
    """What there is to read of one file."""
    if each.now is None:
        return FileText("nothing", ())
    now = _text(each.now)
    if each.now.data is None:
        return FileText("unknown", ("(its bytes are not at hand)",))
    if now is None:
        return FileText("binary", (f"(no text: {len(each.now.data)} bytes, {each.now.sha256})",))
    was = None if each.was is None else _text(each.was)
    if was is None or max(was.count("\n"), now.count("\n")) > _DIFF_LIMIT:
        note = () if each.was is None else ("(what was approved is not at hand: all of it)",)
        return FileText("text", (*note, *plaintext.lines(now.removesuffix("\n"), "+ ")))
    return FileText("diff", list(_diff(was, now)))


def _diff(was: str, now: str) -> Iterator[str]:
    import difflib

    if was.endswith("\n") and now.endswith("\n"):
        was, now = was[:-1], now[:-1]
    old, new = was.split("\n"), now.split("\n")
    marks = {"+": "+ ", "-": "- ", " ": "  "}
    for number, line in enumerate(difflib.unified_diff(old, new, lineterm="", n=3)):
        if number < 2:
            continue  # the names
        if line.startswith("@@"):
            yield line
        else:
            yield from plaintext.lines(line[1:], marks[line[0]])


# --- lines of the summary ----------------------------------------------------------------------


def _head(pack: PackChange) -> str:
    if not pack.name:
        return "the project's own:"
    what = {"added": "new", "changed": "changed", "removed": "removed"}[pack.change]
    at = f" at {pack.commit}" if pack.commit else ""
    was = "" if pack.was in (None, pack.version) else f" (was {pack.was})"
    if pack.was_source not in (None, pack.source):
        was += f" (WAS FROM {pack.was_source})"
    elif pack.was_commit not in (None, pack.commit):
        was += f" (was at {pack.was_commit})"
    return plaintext.shown(f"{pack.name} {pack.version} from {pack.source}{at}{was}: {what}")


def _hook(hook: HookChange) -> Iterator[str]:
    fields = hook.fields
    where = plaintext.shown(f"{fields.get('event')} {fields.get('matcher') or ''}".strip())
    name = plaintext.shown(hook.id)
    if hook.change == "removed":
        yield f"  hook {name} at {where} NO LONGER RUNS"
        return
    yield f"  {'new' if hook.change == 'added' else 'changed'} hook {name} at {where}"
    if hook.change == "changed":
        for change in hook.changes:
            if change.name != "command":
                was_now = f"{_value(change.was, change.name)} -> {_value(change.now, change.name)}"
                yield f"    {change.name}: {was_now}"
        was = next((c.was for c in hook.changes if c.name == "command"), None)
        if was is not None:
            yield from plaintext.lines(str(was), "    was: ")
        elif not any(c.name == "handlers" for c in hook.changes):
            return
    yield from _command(fields)
    if hook.change == "added":
        terms = {"timeout": fields["timeout"]} if fields.get("timeout") is not None else {}
        terms |= {k: fields[k] for k in _PLAIN if k in fields and fields[k] != _PLAIN[k]}
        if terms:
            yield f"    {', '.join(f'{k} {_value(v, k)}' for k, v in terms.items())}"


def _command(fields: Mapping[str, Any]) -> Iterator[str]:
    command = fields.get("command")
    text = command if isinstance(command, str) else json.dumps(fields.get("handlers"))
    yield from plaintext.lines(text, "    runs: ")
    if strange := plaintext.strange(text):
        yield f"    NOT ASCII in it: {strange}"


def _setting(each: SettingChange) -> str:
    titles = {
        "option": f"option {each.name}",
        "default": f"default of the option {each.name}",
        "dependency": f"depends on {each.name}",
        "program": f"needs the program {each.name}",
        "agents": "agents",
    }
    title = plaintext.shown(titles[each.kind])
    if each.was is None and each.now is not None:
        if each.kind == "program":
            return title
        return f"{title}: {_value(each.now)}"
    if each.now is None and each.kind != "agents":
        return f"{title}: no more"
    return f"{title}: {_value(each.was, each.kind)} -> {_value(each.now, each.kind)}"


def _file(each: FileChange) -> str:
    path = plaintext.shown(each.path)
    if each.now is None:
        return f"file {path}: removed"
    word = "new" if each.change == "added" else "changed"
    modes = mode_change(each.was, each.now)
    if modes is not None:
        word += ", NO LONGER EXECUTABLE" if modes[0] else ", now executable"
    data = each.now.data
    if data is None:
        return f"file {path}: {word}, {each.now.sha256}"
    text = _text(each.now)
    if text is None:
        return f"file {path}: {word}, no text, {len(data)} bytes, {each.now.sha256}"
    count = text.count("\n") + (not text.endswith("\n") and bool(text))
    lines = "1 line" if count == 1 else f"{count} lines"
    return f"file {path}: {word}, {lines}, {len(data)} bytes, {each.now.sha256[:19]}..."


def _path(pack: PackChange, each: FileChange) -> str:
    return plaintext.shown(f"{pack.name}/{each.path}" if pack.name else each.path)


def _value(value: Any, name: str = "") -> str:
    """A value on one line; of a very long one the start and its length. name: whose value."""
    if value is None:
        return "all" if name in ("agents", "os") else "nothing"
    if name in ("needs", "uses", "agents", "os"):
        text = " ".join(map(str, value)) or "none"
    else:
        text = json.dumps(value, ensure_ascii=False)
    whole = plaintext.shown(text)
    return whole if len(whole) <= 2000 else f"{whole[:2000]}... ({len(whole)} characters in all)"


def _text(file: RunFile) -> str | None:
    """A file's text; None for what is no text, or is not known."""
    try:
        text = None if file.data is None else file.data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if text is None or "\0" in text else text
