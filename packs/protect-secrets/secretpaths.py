"""From the text of a path to a verdict: normalise, follow links, ask the rules and the user's
options.
"""

from globs import ANY, OPEN, STAR, UNKNOWN, aimed_at, fits, is_wild, marked, path_fits, plain
from secretnames import NO, NOTHING, SURE, TAILS, UNSURE, by_path

try:  # built in, and much cheaper than os
    import posix
except ImportError:  # Windows
    posix = None  # type: ignore[assignment]

LONGEST = 4096  # PATH_MAX: nothing longer names a file
MAX_MOVED = 1_000_000  # characters of all the working folders of one call
MAX_LISTED = 4000  # names looked at when a glob is compared with a folder
# Characters that some file systems skip when they compare names (HFS+; the trick of CVE-2014-9390).
_INVISIBLE = dict.fromkeys(
    [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, 0xAD]
)


class Place:
    """Where paths are read: the working folder ("" when unknown), the home folder, the project,
    the user's lists.
    """

    __slots__ = ("cwd", "dotted", "excepted", "extra", "home", "moved", "project", "seen")

    def __init__(
        self, cwd: str, home: str, project: str, extra: "list[str]", excepted: "list[str]"
    ):
        self.cwd = cwd
        self.moved = 0
        self.dotted = False  # inside find -exec a star matches a leading dot
        self.home = home
        self.project = project
        self.extra = [self._pattern(text) for text in extra if text.strip("/ ")]
        self.excepted = [self._pattern(text) for text in excepted if text.strip("/ ")]
        self.seen: "dict[tuple[str, str], tuple[int, str]]" = {}

    def _pattern(self, text: str) -> "tuple[list[str], bool]":
        text = text.replace("\\", "/")
        if text.startswith("~/"):
            text = self.home + text[1:]
        elif text.startswith("./"):
            text = self.project + text[1:]
        return [marked(_fold(part)) for part in text.split("/") if part], text.startswith("/")

    def judge(self, text: str) -> "tuple[int, str]":
        """(level, what) of a path as somebody wrote it. Wildcards count only as marks; see
        judge_glob.
        """
        key = (self.cwd, text)
        hit = self.seen.get(key)
        if hit is None:
            hit = self.seen[key] = self._judge(text)
        return hit

    def _judge(self, text: str) -> "tuple[int, str]":
        if not text or len(text) > LONGEST or text.isspace():
            return NOTHING
        parts = split(text, self)
        best = self._by_rules(parts)
        if posix is not None and (self.cwd or parts[:1] == [""]) and not is_wild(text):
            real = _real(parts)
            if real != parts:  # a link: what it leads to counts as well
                best = max(best, self._by_rules(real))
            if best[0] and parts[-1].lower() == ".env":
                best = self._maybe_folder(parts, best)
        return best

    def _by_rules(self, parts: "list[str]") -> "tuple[int, str]":
        low = [part for part in map(_fold, parts) if part]
        if any(path_fits(low, pattern, anchored) for pattern, anchored in self.excepted):
            return NOTHING
        if any(path_fits(low, pattern, anchored) for pattern, anchored in self.extra):
            return SURE, "listed in the option `extra`"
        hit = by_path(low)
        if not hit[0] and any(is_wild(part) for part in low[:-1]):
            hit = by_wild_tail(low)
        return hit

    def _maybe_folder(self, parts: "list[str]", hit: "tuple[int, str]") -> "tuple[int, str]":
        """A virtual environment is often a folder called .env: that is no secret; any other
        folder of it may hold some.
        """
        path = "/".join(parts)
        if not is_folder(path):
            return hit
        return (
            NOTHING if _exists(path + "/pyvenv.cfg") else (UNSURE, "a folder of environment files")
        )

    def exists(self, text: str) -> bool:
        """Whether a file of this path is there, as far as that can be told."""
        return posix is not None and _exists("/".join(split(text, self)))

    def judge_glob(self, text: str, dotted: bool = False) -> "tuple[int, str, str]":
        """(level, what, name) for a path whose wildcards are marks: what could it match, and what
        does it match here. `name` is the file it was compared with; "" when the path has no live
        wildcard in its last part.
        """
        if not is_wild(text):
            return (*self.judge(text), "")
        folder, _, last = text.rstrip("/").replace("\\", "/").rpartition("/")
        if not is_wild(last):
            return (*self.judge(text), "")
        if len(last) > 255:
            return NO, "", ""
        dotted = dotted or self.dotted
        found = self._aim(folder, _fold(last), dotted)
        if found[0] < SURE and not is_wild(folder):
            found = max(
                found,
                self._on_disk(folder, _fold(last), dotted, SURE if found[0] else UNSURE),
                key=_level,
            )
        return found

    def _aim(self, folder: str, last: str, dotted: bool) -> "tuple[int, str, str]":
        name, aim = aimed_at(last, dotted)
        prefix = folder + "/" if folder else ""
        if aim:
            level, what = self.judge(prefix + name)
            if last[:2] == STAR + "." and name[0] != "." and not is_wild(last[1:]):
                level, what = self.judge(prefix + "x" + last[1:])  # *.key is any .key
            if level:
                return min(level, aim), what, name
        # Below ~/.ssh or ~/.aws even a bare * takes the keys along.
        for probe in ("credentials", "id_rsa", "config", "config.json"):
            if fits(probe, last):
                level, what = self.judge(prefix + probe)
                if level and not self.judge("/" + probe)[0]:
                    return (UNSURE if UNKNOWN in last else level), what, probe
        level, what = self.judge(prefix + "x")
        if level == SURE:
            return (UNSURE if UNKNOWN in last else level), what, ""
        return NO, "", ""

    def _on_disk(self, folder: str, last: str, dotted: bool, most: int) -> "tuple[int, str, str]":
        """A glob that was aimed at nothing in particular, such as *, still takes in a secret that
        is there.
        """
        if posix is None or UNKNOWN in last or not (self.cwd or folder.startswith("/")):
            return NO, "", ""
        try:
            names = posix.listdir("/".join(split(folder or ".", self)) or "/")
        except (OSError, ValueError):
            return NO, "", ""
        for name in names[:MAX_LISTED]:
            if name[0] == "." and last[0] in (STAR, ANY, OPEN) and not dotted:
                continue
            if fits(_fold(name), last):
                level, what = self.judge((folder + "/" if folder else "") + name)
                if level == SURE:
                    return most, what, name
        return NO, "", ""


def _level(found: "tuple[int, str, str]") -> int:
    return found[0]


def split(text: str, place: Place) -> "list[str]":
    """A path's components in their own case, absolute ("" first) where the working folder is
    known: file: URLs, ~, $HOME, backslashes, `.`, `..`, doubled slashes, streams and trailing
    dots and blanks are gone.
    """
    text = text.partition("\0")[0].strip().strip("\"'")
    if text[:5].lower() == "file:":
        text = _unquote(text[5:])
        if text.startswith("//"):
            text = text[2:]
            text = text[text.find("/") :] if "/" in text else "/" + text
    if not text.isascii():
        text = text.translate(_INVISIBLE)
    text = text.replace("\\", "/")
    for name in ("~", "$HOME", "${HOME}", "%USERPROFILE%", "$env:USERPROFILE"):
        if text == name or text.startswith(name + "/"):
            text = (place.home or "/~") + text[len(name) :]
            break
    absolute = text.startswith("/")
    if not absolute and place.cwd and text[1:3] not in (":/", ":"):
        text = place.cwd + "/" + text
        absolute = True
    parts: "list[str]" = []
    for part in text.split("/"):
        if part == "..":
            if parts and parts[-1] != "..":
                parts.pop()
            elif not absolute:
                parts.append(part)
        elif part.strip(". "):
            parts.append(_trimmed(part))
    return ["", *parts] if absolute else parts


def entered(folder: str, place: Place) -> str:
    """The working folder after `cd folder`; "" where only the shell knows it. OverflowError: more
    moves than anybody makes, each of which costs its path's length."""
    if is_wild(folder):
        return ""
    target = "/".join(split(folder, place))
    place.moved += len(target)
    if place.moved > MAX_MOVED:
        raise OverflowError
    return "/" if not target.startswith("/") and place.cwd else target


def _trimmed(part: str) -> str:
    """Without what Windows ignores or takes for a stream: `.env. `, `.env::$DATA`."""
    colon = part.find(":")
    if colon > 1:
        part = part[:colon]
    return part.strip().rstrip(".") or part


def _fold(part: str) -> str:
    """One spelling for all that a case-blind, normalising file system takes for one name."""
    if part.isascii():
        return part.lower()
    import unicodedata

    return unicodedata.normalize("NFKC", part).casefold()


def _unquote(text: str) -> str:
    """Percent-decoding, without urllib: a file URL may hide a name as `%2Eenv`."""
    head, *rest = text.split("%")
    out = [head.encode("utf-8", "surrogatepass")]
    out.extend(map(_unquoted, rest))
    return b"".join(out).decode("utf-8", "replace")


def _unquoted(piece: str) -> bytes:
    try:
        return bytes((int(piece[:2], 16),)) + piece[2:].encode("utf-8", "surrogatepass")
    except ValueError:
        return b"%" + piece.encode("utf-8", "surrogatepass")


def _real(parts: "list[str]") -> "list[str]":
    """The path with every symbolic link followed, as far as it exists. `parts` is absolute."""
    todo = parts[:0:-1]
    done: "list[str]" = [""]
    links = 0
    while todo:
        part = todo.pop()
        if part == "..":
            del done[max(1, len(done) - 1) :]
            continue
        if not part or part == ".":
            continue
        done.append(part)
        try:
            target = posix.readlink("/".join(done))
        except (OSError, ValueError) as error:
            if isinstance(error, FileNotFoundError):
                break
            continue
        links += 1
        if links > 40:
            break
        done = [""] if target.startswith("/") else done[:-1]
        todo.extend(reversed(target.split("/")))
    return done + [part for part in reversed(todo) if part and part != "."]


def is_folder(path: str) -> bool:
    try:
        return posix.stat(path).st_mode & 0o170000 == 0o040000
    except (OSError, ValueError):
        return False


def _exists(path: str) -> bool:
    try:
        posix.stat(path)
    except (OSError, ValueError):
        return False
    return True


def shown(path: str) -> str:
    """A path for a message: one line, not too long, its marks as typed."""
    path = plain(path)
    text = "".join(char if char.isprintable() else "?" for char in path[:200])
    return text + ("…" if len(path) > 200 else "")


def by_wild_tail(parts: "list[str]") -> "tuple[int, str]":
    """`~/.*/credentials`: a folder given as a wildcard that is aimed at hidden folders."""
    for tail, hit in TAILS.items():
        names = tail.split("/")
        last = parts[-len(names) :]
        if len(last) == len(names) and all(
            fits(name, part) and (part == name or part[0] == ".")
            for name, part in zip(names, last)  # noqa: B905 - Python 3.8
        ):
            return hit
    return NOTHING
