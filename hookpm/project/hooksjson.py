"""`.agents/hooks.json`: the packs' groups in it, beside the user's own. Pure but for reading it."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.contract import hooksfile
from hookpm.edit import jsondoc, jsonedit
from hookpm.errors import FileFormatError, HookpmError
from hookpm.project.writing.undo import still_true

if TYPE_CHECKING:
    from hookpm.packs.manifest import Hook, Manifest

OURS = ".agents/hooks.json"
BESIDE = ".agents/hookpm-hooks.json"
SCHEMA = "./hookpm/hooks.schema.json"


class Group(NamedTuple):
    """An installed group: what stands in the list of `event`."""

    event: str
    pack: str
    id: str
    value: dict[str, Any]


class HooksFile(NamedTuple):
    """The hooks file of a project. antigravitys: OURS belongs to Antigravity, ours lies beside;
    wrong: why it does not read, where that was to be told and not raised (then text is None)."""

    path: str
    text: str | None
    antigravitys: bool
    wrong: HookpmError | None = None


def looked_at(root: Path) -> HooksFile:
    """Like `read`, but one that does not read is told of, and not raised."""
    try:
        found = read(root)
    except HookpmError as error:
        path = BESIDE if str(root / BESIDE) == error.file else OURS
        return HooksFile(path, None, antigravitys=False, wrong=error)
    return found


def read(root: Path, texts: Mapping[str, str] = MappingProxyType({})) -> HooksFile:
    """Find the project's hooks file. texts: path -> what counts as its text, whatever is on disk.

    It is the one that the bridge reads: BESIDE wherever that is. Raises FileFormatError where it
    does not parse, where it holds no table of events (what hooks are in it then, nobody can tell),
    and where BESIDE keeps hooks that stand in OURS from running.
    """
    path, text = OURS, texts.get(OURS) or _text(root, OURS)
    beside = texts.get(BESIDE) or _text(root, BESIDE)
    document = jsondoc.parse(text or "", root / OURS)
    antigravitys = hooksfile.is_antigravitys(document.value)
    if beside is not None and not antigravitys and document.get(("hooks",)) is not None:
        raise FileFormatError(
            f"there are two hooks files, and the hooks in {OURS} do not run",
            cause=f"the bridge reads {BESIDE} alone where that is there",
            hint=f"move what is yours in it to {OURS}, remove {BESIDE}, and run the command again",
            file=root / BESIDE,
        )
    if antigravitys or beside is not None:
        path, text = BESIDE, beside
    _refuse_shape(jsondoc.parse(text or "", root / path), root / path)
    return HooksFile(path, text, antigravitys)


def _refuse_shape(document: jsondoc.Document, file: Path) -> None:
    """Raise FileFormatError where there is no object of events, or where readers see one of two."""
    root, hooks = document.root, document.get(("hooks",))
    for node, name in ((root, "the file"), (hooks, "hooks")):
        if node is not None and node.kind != "object":
            raise FileFormatError(
                f"{name} has to be an object in {file}",
                hint='hooks stand as {"hooks": {"PreToolUse": [{"matcher": ..., "hooks": [...]}]}}',
                file=str(file),
                line=document.line_of(node.start),
            )
    for found in document.duplicates:
        if found.path[0] == "hooks" and len(found.path) <= 2:
            raise FileFormatError(
                f"{file} holds {'.'.join(map(str, found.path))} twice, in lines "
                f"{found.first_line} and {found.second_line}",
                cause="only the last one is read",
                hint="merge the two into one, then run again",
                file=str(file),
                line=found.second_line,
            )


def _text(root: Path, path: str) -> str | None:
    from hookpm.project.places import read as read_bytes

    data = read_bytes(root, path)
    return None if data is None else jsondoc.decode(data, root / path)


def command(hook: Hook) -> str:
    """The shell line of a manifest's hook, as it stands in the hooks file; what a request is.

    Python runs on the bridge's own interpreter, whose caches stay out of the repo.
    """
    if hook.url is not None:
        return f"POST {hook.url}"
    if hook.command is not None:
        return hook.command
    run = hook.run or ""
    if run.endswith(".py"):
        return (
            '"${HOOKPM_PYTHON:-python3}" -EsS -X pycache_prefix="$HOOKPM_PYCACHE" '
            f'"$HOOKPM_PACK_DIR/{run}"'
        )
    return f'"$HOOKPM_PACK_DIR/{run}"'


def _handler(hook: Hook) -> dict[str, Any]:
    """The handler of a manifest's hook, without its time limit."""
    if hook.url is None:
        return {"type": "command", "command": command(hook)}
    made: dict[str, Any] = {"type": "http", "url": hook.url}
    if hook.headers:
        made["headers"] = dict(hook.headers)
    if hook.allowed_env:
        made["allowedEnvVars"] = list(hook.allowed_env)
    return made


def program(group: Group) -> str | None:
    """The file of the pack that an installed group starts by itself, not through python."""
    start, end = '"$HOOKPM_PACK_DIR/', '"'
    handlers = group.value.get("hooks")
    for handler in handlers if isinstance(handlers, list) else ():
        line = handler.get("command") if isinstance(handler, dict) else None
        if isinstance(line, str) and line.startswith(start) and line.endswith(end):
            return line[len(start) : -len(end)]
    return None


def groups(manifest: Manifest, disabled: Sequence[str] = ()) -> list[Group]:
    """The groups of a pack, in the manifest's order, without the hooks that are switched off."""
    made = []
    for hook in manifest.hooks:
        if hook.id in disabled:
            continue
        timeout = int(hook.timeout) if hook.timeout == int(hook.timeout) else hook.timeout
        value: dict[str, Any] = {"pack": manifest.name, "id": hook.id}
        if hook.matcher:
            value["matcher"] = hook.matcher
        value["hooks"] = [{**_handler(hook), "timeout": timeout}]
        made.append(Group(hook.event, manifest.name, hook.id, value))
    return made


def events(text: str | None, file: Path | str) -> list[str]:
    """The events that hooks of the file are for, in file order; broken entries do not count."""
    document = jsondoc.parse(text or "", file).value or {}
    table = document.get("hooks", {})
    return [event for event in table if hooksfile.hooks_for(document, event)[0]]


def longest_timeout(text: str | None, file: Path | str) -> float:
    """The longest time limit of any hook in the file, in seconds; 0 where there is none."""
    document = jsondoc.parse(text or "", file).value or {}
    table = document.get("hooks", {})
    limits = [h.timeout for event in table for h in hooksfile.hooks_for(document, event)[0]]
    return max(limits, default=0.0)


class Problem(NamedTuple):
    """An entry that does not run. line: from 1."""

    line: int
    message: str


def problems(text: str | None, file: Path | str) -> list[Problem]:
    """What in the file does not run, each with its line."""
    document = jsondoc.parse(text or "", file)
    if document.root is None:
        return []
    found = [
        Problem(_line(document, problem.place), problem.message)
        for problem in hooksfile.check(document.value)
    ]
    found += [Problem(n, "comments are not JSON: no hook runs") for n in document.comments]
    found += [
        Problem(n, "a trailing comma is not JSON: no hook runs") for n in document.trailing_commas
    ]
    return found


def _line(document: jsondoc.Document, place: Sequence[str | int]) -> int:
    for end in range(len(place), 0, -1):
        line = document.line_at(place[:end])
        if line is not None:
            return line
    return 1


def updated(
    text: str | None,
    wanted: Sequence[Group],
    undo: jsonedit.Undo,
    file: str,
    packs: Container[str] = (),
) -> jsonedit.Edited:
    """The text with just these groups of these packs; all other groups keep their bytes.

    packs: the names of those that are or were installed. A group of any other name stays: it may be
    another branch's, or the lock that knew it was lost.
    A group that is there stays in its place, one that changed is replaced in place, new ones come
    last. Raises FileFormatError for a file of another shape: nothing is to be written then.
    """
    document = jsondoc.parse(text or "", file)
    _refuse(document, file)
    current = text or ""
    going: list[tuple[str | int, ...]] = []
    open_groups = {(g.event, g.pack, g.id): g for g in wanted}
    for path, value in _installed(document):
        group = open_groups.pop((str(path[1]), value["pack"], str(value.get("id"))), None)
        if group is None and value["pack"] in packs:
            going.append(path)
        elif group is not None and value != group.value:
            current = jsonedit.replace(current, path, group.value, file)
    current = jsonedit.remove_many(current, going, undo, file)
    for group in open_groups.values():
        edited = jsonedit.append(current, ("hooks", group.event), group.value, file)
        current, undo = edited.text, jsonedit.merge_undo(undo, edited.undo)
    if wanted:
        edited = jsonedit.set_member(current, (), "$schema", SCHEMA, first=True, file=file)
        undo = still_true(edited.text, jsonedit.merge_undo(undo, edited.undo), file)
        return jsonedit.Edited(edited.text, undo)
    for member in jsonedit.members_set(current, undo, file):
        current = jsonedit.remove(current, member, undo, file)
    return jsonedit.Edited(current, ())


def _refuse(document: jsondoc.Document, file: str) -> None:
    """Shapes that hooks cannot be added to without guessing what was meant."""
    if document.root is None:
        return
    if document.comments or document.trailing_commas:
        line = min((*document.comments, *document.trailing_commas))
        raise FileFormatError(
            "the hooks file is not plain JSON: it holds a comment or a trailing comma",
            cause="the bridge reads JSON, so no hook in it would run",
            hint="take it out, then run again",
            file=file,
            line=line,
        )
    if isinstance(document.value, dict) and "hooks" not in document.value:
        return  # nobody's yet
    for problem in hooksfile.check(document.value):
        if len(problem.place) <= 2:
            where = ".".join(map(str, problem.place)) or "the top level"
            raise FileFormatError(
                f"{where}: {problem.message}",
                hint='hooks stand as {"hooks": {"PreToolUse": [{"matcher": ..., "hooks": [...]}]}}',
                file=file,
                line=_line(document, problem.place),
            )


def _installed(
    document: jsondoc.Document,
) -> list[tuple[tuple[str | int, ...], dict[str, Any]]]:
    """The groups that carry a pack's name, with their paths."""
    value = document.value or {}
    return [
        (("hooks", event, index), group)
        for event, listed in (value.get("hooks") or {}).items()
        if isinstance(listed, list)
        for index, group in enumerate(listed)
        if isinstance(group, dict) and isinstance(group.get("pack"), str)
    ]


def installed(text: str | None, file: Path | str) -> list[Group]:
    """The groups in the file that say they are a pack's."""
    document = jsondoc.parse(text or "", file)
    return [
        Group(str(path[1]), value["pack"], str(value.get("id")), value)
        for path, value in _installed(document)
    ]


def user_groups(text: str | None, file: Path | str) -> int:
    """How many groups in the file are the user's own."""
    document = jsondoc.parse(text or "", file).value or {}
    listed = [group for groups in (document.get("hooks") or {}).values() for group in groups]
    return sum(1 for group in listed if isinstance(group, dict) and "pack" not in group)
