"""Reads what Codex's apply_patch takes: which files a patch touches, and how.

Vendored. Reads at least all that Codex reads (its parser is public: markers may be padded, lines
end in LF or CRLF and nothing else), and skips what it does not understand: a guard is better asked
once too often. Paths stay as written.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

_ADD = "*** Add File: "
_UPDATE = "*** Update File: "
_DELETE = "*** Delete File: "
_MOVE = "*** Move to: "
_BEGIN = "*** Begin Patch"
_END = "*** End Patch"
_END_OF_FILE = "*** End of File"
_KINDS = ((_ADD, "add"), (_UPDATE, "update"), (_DELETE, "delete"))


class FileChange:
    """One file of a patch.

    kind: "add", "update" or "delete". moved_to: its new path, or "". old, new: for an update, the
    context and removed lines, and the context and added lines; for an added file, new is its text.
    """

    __slots__ = ("kind", "moved_to", "new", "old", "path")

    def __init__(self, kind: str, path: str) -> None:
        self.kind = kind
        self.path = path
        self.moved_to = ""
        self.old = ""
        self.new = ""

    def as_calls(self) -> "list[tuple[str, dict[str, str]]]":
        """The change as calls of Claude's tools, name and input: Write for an added file, and for a
        deleted one with no content left; Edit for a changed one, and for both paths of a moved one.
        """
        if self.kind != "update":
            return [("Write", {"file_path": self.path, "content": self.new})]
        return [
            ("Edit", {"file_path": path, "old_string": self.old, "new_string": self.new})
            for path in (self.path, self.moved_to)
            if path
        ]

    def below(self, folder: str) -> "FileChange":
        """The same change, as seen from the folder above `folder`."""
        self.path = _join(folder, self.path)
        if self.moved_to:
            self.moved_to = _join(folder, self.moved_to)
        return self


def read(text: str) -> "list[FileChange]":
    """The changes in a patch, in order; [] for what is no patch."""
    changes: "list[FileChange]" = []
    old: "list[str]" = []
    new: "list[str]" = []
    for ended in text.split("\n"):
        line = ended[:-1] if ended.endswith("\r") else ended
        change = changes[-1] if changes else None
        header = _header(line, change)
        if header is not None:
            _close(change, old, new)
            changes.append(header)
            old, new = [], []
        elif change is None or change.kind == "delete":
            continue
        elif change.kind == "add":
            if line.startswith("+"):
                new.append(line[1:])
        elif line.startswith(_MOVE):
            change.moved_to = line[len(_MOVE) :]
        else:
            _hunk_line(line, old, new)
    _close(changes[-1] if changes else None, old, new)
    return changes


def _header(line: str, change: "FileChange | None") -> "FileChange | None":
    """The file that a header line opens. Within an update, a line with a space is context."""
    if change is not None and change.kind == "update" and line.startswith((" ", "+", "-")):
        return None
    if line.startswith("+"):
        return None
    bare = line.strip()
    for marker, kind in _KINDS:
        if bare.startswith(marker) and len(bare) > len(marker):
            return FileChange(kind, bare[len(marker) :])
    return None


def _hunk_line(line: str, old: "list[str]", new: "list[str]") -> None:
    if not line:
        old.append("")
        new.append("")
    elif line[0] == " ":
        old.append(line[1:])
        new.append(line[1:])
    elif line[0] == "-":
        old.append(line[1:])
    elif line[0] == "+":
        new.append(line[1:])


def _close(change: "FileChange | None", old: "list[str]", new: "list[str]") -> None:
    if change is None:
        return
    if change.kind == "add":
        change.new = "".join([line + "\n" for line in new])
        return
    while old and new and old[-1] == "" and new[-1] == "":  # blank lines between two files
        old.pop()
        new.pop()
    change.old = "\n".join(old)
    change.new = "\n".join(new)


def read_shell(command: str, depth: int = 0) -> "list[FileChange]":
    """The changes that a shell command makes by calling apply_patch; [] where it calls it not.

    Finds `apply_patch <<'EOF'`, `cd dir && apply_patch ...`, a here-document piped into it, and a
    patch as its quoted argument. The word inside another here-document or text is no call, unless
    that feeds a shell. depth: how many shells it is inside of. The time taken grows with the length
    and no faster, whatever the command: a hook that runs too late would allow.
    """
    if "apply_patch" not in command and "applypatch" not in command:
        return []
    if "*** " not in command:
        return []
    changes: "list[FileChange]" = []
    lines = command.split("\n")
    folder = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        call = _call(line)
        folder = _folder_after(line[: call.start()] if call else line, folder)
        bodies, after = _bodies(line, lines, at)
        if bodies:
            at = after
            for body in bodies:
                inside: "list[FileChange]" = []
                if call or (depth >= _DEEPEST and _is_shell(line)):
                    inside = read(body)
                elif _is_shell(line):
                    inside = read_shell(body, depth + 1)
                changes += [change.below(folder) for change in inside]
        elif call is None:
            continue
        else:
            argument, at = _argument(line[call.end() :], lines, at)
            changes += [change.below(folder) for change in read(argument)]
    return changes


_DEEPEST = 4  # shells inside shells
_LONGEST_PATH = 4096  # no system takes longer ones
# Nothing below may run over a place where another match could begin: that would cost n * n.
_WORDS = r"(?:(?:then|do|else|sudo|exec|command|env|time|nohup)\s+|\w+=[^\s;&|({!`]*\s+)*"
_CALL = (
    r"(?:^|[;&|({!`]|\$\(|-\w*c\s+[\"'])\s*" + _WORDS + r"(?:[\w.~@+/-]*/)?apply_?patch(?![\w.-])"
)
_HERE = r"<<(-?)\s*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([\w.+-]+))"
_CD = (
    r"(?:^|[;&|({]|-\w*c\s+[\"'])\s*cd\s+(?:--\s+)?"
    r"(?:'([^'\n]*)'|\"([^\"\n]*)\"|((?:\\.|[^\s;&|])+))"
)


def _call(line: str) -> "Match[str] | None":
    import re

    return re.search(_CALL, line)


def _is_shell(line: str) -> bool:
    """Does a here-document on this line feed a shell?"""
    import re

    return re.search(r"(?:^|[;&|({/\s])(?:ba|z|da|k)?sh(?![\w.-])", line) is not None


def _folder_after(text: str, folder: str) -> str:
    """The folder that a shell stands in after `text`, seen from where it started ("")."""
    import re

    for single, double, bare in re.findall(_CD, text):
        target = single or double or re.sub(r"\\(.)", r"\1", bare)
        if target not in ("", "-") and len(folder) < _LONGEST_PATH:
            folder = _join(folder, target)
    return folder


def _bodies(line: str, lines: "list[str]", at: int) -> "tuple[list[str], int]":
    """The here-documents that a line opens, and the index of the line behind them."""
    import re

    bodies = []
    for dash, single, double, bare in re.findall(_HERE, line.replace("<<<", "   ")):
        end = single or double or bare
        start = at
        while at < len(lines):
            text = lines[at].lstrip("\t") if dash else lines[at]
            if text.rstrip("\r") == end:
                break
            at += 1
        bodies.append("\n".join(lines[start:at]))
        at += 1
    return bodies, at


def _argument(rest: str, lines: "list[str]", at: int) -> "tuple[str, int]":
    """The quoted argument that `rest` begins with, and the index of the line behind its end."""
    bare = rest.lstrip(" \t$")
    if bare[:1] not in ("'", '"'):
        return "", at
    quote, line = bare[0], bare[1:]
    taken = []
    while True:
        end = 0
        while end < len(line) and line[end] != quote:
            end += 2 if line[end] == "\\" and quote == '"' else 1
        taken.append(line[:end])
        if end < len(line) or at >= len(lines):
            break
        line = lines[at]
        at += 1
    text = "\n".join(taken)
    return (text if len(taken) > 1 else text.replace("\\n", "\n")), at  # $'...\n...'


def _join(folder: str, path: str) -> str:
    if not folder or path[:1] in ("/", "\\", "~") or path[1:2] == ":":
        return path
    return folder.rstrip("/") + "/" + path
