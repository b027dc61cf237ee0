"""From a tool call to a verdict: which of its arguments are paths, globs, patches or shell text,
and what they name.
"""

from secretnames import NO, SURE, UNSURE, names
from secretpaths import Place, entered, shown

# Keys (lower case, without _ and -) whose values name files. Others that end like one of ENDINGS
# do too.
PATHS = names(
    "path paths file files source sources src destination dest dst target targets uri uris url "
    "urls from to oldname newname resource resources location locations document documents "
    "revision revisions rev ref object"
)
ENDINGS = (
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filenames",
    "uri",
    "uris",
    "attachment",
    "attachments",
    "notebook",
)
NO_PATHS = ("profile", "profiles")
GLOBS = names("glob globs include includes filepattern includepattern filemask filemasks mask")
ALL = ("", ".", "*.*", "**/*.*", "./*.*")  # no narrower than no glob at all, once a `**/*` is bare
SHELL = names("command cmd commandline script shellcommand commands")
PROGRAM = (*SHELL, "program", "executable")
ARGUMENTS = names("args arguments argv")
CODE = names("code script javascript python")
PATCH = names("patch patchtext diff input")
# The folder that relative paths beside it start from; the first of FOLDERS only for a command.
FOLDERS = names("cwd workdir workingdir workingdirectory workingfolder")
PLACES = names("directory dir dirpath folder folderpath")
# What is typed into a shell that runs already: in tools with one of these words in their names.
TYPED = names("input chars text keys data keystrokes")
TERMINALS = (
    *("bash", "shell", "terminal", "stdin", "tmux", "send_keys", "send_input", "sendkeys"),
    *("with_process", "to_process", "process_input", "process_write"),
)
TERMINAL_WORDS = names("pty repl console")
# Addresses in editors, whose path is a file's.
FILE_SCHEMES = ("vscode", "fs:", "wsl:", "sftp:", "ssh:", "scp:", "smb:", "cursor", "untitled")
LONGEST = 4096

MAX_VALUES = 5000
MAX_LEVELS = 8


class Surroundings:
    """The home folder and the project's root, "" where unknown."""

    __slots__ = ("home", "project")

    def __init__(self, home: str, project: str):
        self.home = home
        self.project = project


def verdict(
    payload: "dict[str, object]", options: "dict[str, object]", around: Surroundings
) -> "tuple[str, str]":
    """(decision, reason) of one tool call; see guard.answer."""
    cwd = payload.get("cwd")
    if not isinstance(cwd, str) or not cwd.startswith("/"):
        cwd = around.project or _working_folder()
    place = Place(
        cwd, around.home, around.project or cwd, _texts(options, "extra"), _texts(options, "except")
    )
    call = _Call(place, str(payload.get("tool_name")).lower(), payload.get("tool_kind") == "shell")
    try:
        call.value(payload.get("tool_input"), "", 0)
    except OverflowError:
        call.found.append((UNSURE, "too large to read", "this input"))
    unsure = options.get("unsure")
    return _decide(call.found, unsure if isinstance(unsure, str) else "ask")


def _working_folder() -> str:
    try:
        import posix

        return posix.getcwd()
    except (ImportError, OSError):
        return ""


def _texts(options: "dict[str, object]", name: str) -> "list[str]":
    value = options.get(name)
    if isinstance(value, str):
        return [value]
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


class _Call:
    """Walks a tool's input. `found`: (level, what, path)."""

    def __init__(self, place: Place, tool: str, shell: bool):
        self.place = place
        self.tool = tool
        self.shell = shell
        self.found: "list[tuple[int, str, str]]" = []
        self.count = 0
        self.cut_short = False

    def value(self, value: object, key: str, level: int) -> None:
        """One value under its key; lists and objects are walked."""
        if not isinstance(value, (str, dict, list)):
            return
        self.count += 1
        if self.count > MAX_VALUES or level > MAX_LEVELS:
            if not self.cut_short:
                self.cut_short = True
                self.found.append((UNSURE, "too large to read", "this input"))
        elif isinstance(value, dict):
            self.members(value, level)
        elif isinstance(value, list):
            if key in SHELL or (key in ARGUMENTS and self.shell):
                self.command([item for item in value if isinstance(item, str)])
                if key != "commands" and not any(isinstance(item, dict) for item in value):
                    return
                key = "command"  # each may be one by itself
            for inner in value:
                self.value(inner, key, level + 1)
        else:
            self.text(value, key)

    def members(self, value: "dict[str, object]", level: int) -> None:
        """An object: its folder holds for all that is in it, its program gets its arguments."""
        keyed = {name.lower().replace("_", "").replace("-", ""): name for name in value}
        runs = [key for key in keyed if key in PROGRAM]
        cwd = self.place.cwd
        inside = value.get("options")  # of a task of VS Code: {options: {cwd}}
        if runs and isinstance(inside, dict):
            folder = inside.get("cwd")
            if isinstance(folder, str) and 0 < len(folder) <= LONGEST:
                self.place.cwd = entered(folder, self.place)
        for key, name in keyed.items():
            folder = value[name]
            if key in FOLDERS or key in PLACES:
                if key in PLACES and not runs:
                    self.value(folder, "path", level + 1)
                if isinstance(folder, str) and 0 < len(folder) <= LONGEST:
                    self.place.cwd = entered(folder, self.place)
        if runs:
            self.with_arguments(
                value[keyed[runs[0]]], [value[keyed[key]] for key in keyed if key in ARGUMENTS]
            )
        for name, inner in value.items():
            key = name.lower().replace("_", "").replace("-", "")
            if key in FOLDERS or key in PLACES:
                continue
            if key in GLOBS or key.endswith(("glob", "globs")):
                self.in_folder(inner, value, level)
            self.value(inner, key, level + 1)
        if self.place.cwd != cwd:
            self.place.cwd = cwd
            if not runs:  # a path may also be meant from the tool's own folder
                for name, inner in value.items():
                    key = name.lower().replace("_", "").replace("-", "")
                    if isinstance(inner, str) and self.names_file(key):
                        self.text(inner, key)

    def in_folder(self, pattern: object, value: "dict[str, object]", level: int) -> None:
        """A search's glob is read below the search's path."""
        cwd = self.place.cwd
        folder = value.get("path")
        if isinstance(folder, str) and 0 < len(folder) <= LONGEST:
            self.place.cwd = entered(folder, self.place)
            self.value(pattern, "glob", level + 1)
            self.place.cwd = cwd

    def with_arguments(self, program: object, arguments: "list[object]") -> None:
        """`{command: "cat", args: [".env"]}`: one command line in two keys."""
        argv: "list[str]" = []
        for given in arguments:
            if isinstance(given, str):
                argv += given.split()
            elif isinstance(given, list):
                for item in given[:MAX_VALUES]:
                    item = item.get("value") if isinstance(item, dict) else item
                    argv += [item] if isinstance(item, str) else []
        if argv and isinstance(program, str) and program.strip():
            self.command([*program.split(), *argv])

    def names_file(self, key: str) -> bool:
        """Whether values under this key are paths."""
        return key in PATHS or (key.endswith(ENDINGS) and not key.endswith(NO_PATHS))

    def text(self, text: str, key: str) -> None:
        """A string argument, by what its key says it is."""
        if key in TYPED and (
            any(word in self.tool for word in TERMINALS)
            or not TERMINAL_WORDS.isdisjoint(self.tool.replace("-", "_").split("_"))
        ):
            self.typed(text)
        if key in SHELL:
            if "*** Begin Patch" in text[:200]:
                self.patch(text)
            if not text.lstrip().startswith("*** Begin Patch"):
                self.command(text)
        if key in CODE:
            self.code(text)
        elif key in GLOBS or key.endswith(("glob", "globs")):
            if "exclude" not in key and "ignore" not in key:
                self.glob(text)
        elif key in PATCH and any(mark in text for mark in ("*** ", "+++ ", "copy ", "rename ")):
            self.patch(text)
        elif self.names_file(key):
            self.path(text)

    def glob(self, text: str) -> None:
        """One or more globs. One that takes everything asks no more than none."""
        from shellspecial import FullShell as Shell

        shell = Shell(self.place)
        for pattern in text.split():
            if pattern.strip("*/") not in ALL and pattern not in ALL:
                shell.read_glob(pattern)
        self.found += shell.found

    def code(self, text: str) -> None:
        """Code in whatever language."""
        from shellspecial import FullShell as Shell
        from shellwords import clean

        shell = Shell(self.place)
        shell.code(clean(text))
        self.found += shell.found

    def typed(self, text: str) -> None:
        """What is typed into a shell, or into a program that runs in it: then it is code."""
        from keystrokes import as_text

        before = len(self.found)
        self.command(as_text(text))
        if len(self.found) == before and ("(" in text or "'" in text or '"' in text):
            self.code(text)

    def path(self, text: str) -> None:
        """A file's path, a file: URL, `REVISION:path` or `path#L1`."""
        if len(text) > LONGEST or "\n" in text.strip():
            return
        if "://" in text and text[:5].lower() != "file:":
            if not text.lower().startswith(FILE_SCHEMES):
                return
            text = "/" + text.partition("://")[2].partition("/")[2]
        candidates = [text]
        if "#" in text:
            candidates.append(text.partition("#")[0])
        if text[:5].lower() == "file:" and "?" in text:
            candidates.append(text.partition("?")[0])
        if ":" in text[2:] and text[:5].lower() != "file:":
            candidates.append(text.rpartition(":")[2])
        for candidate in candidates:
            level, what = self.place.judge(candidate)
            if level:
                self.found.append((level, what, text))
                return
        if "*" in text or "?" in text or "[" in text or "{" in text:
            self.text(text, "glob")

    def patch(self, text: str) -> None:
        """Every file that a patch names."""
        from patches import patched_files

        for path in patched_files(text):
            self.path(path)

    def command(self, command: "str | list[str]") -> None:
        """Shell text, or a program with its arguments."""
        from shellspecial import FullShell as Shell
        from shellwords import clean

        shell = Shell(self.place)
        if isinstance(command, str):
            shell.read(clean(command))
        elif command:
            shell.read_argv([clean(word) for word in command])
        self.place.dotted = False
        self.found += shell.found


def _decide(found: "list[tuple[int, str, str]]", unsure: str) -> "tuple[str, str]":
    level = max((hit[0] for hit in found), default=NO)
    if level == NO or (level == UNSURE and unsure == "allow"):
        return "", ""
    shown_paths: "dict[str, str]" = {}
    for hit, what, path in found:
        if hit == level and len(shown_paths) < 3:
            shown_paths.setdefault(shown(path), what)
    listed = ", ".join(path + " (" + what + ")" for path, what in shown_paths.items())
    mend = "list the file in the option `except` of the pack protect-secrets in .agents/hookpm.toml"
    if level == SURE:
        return "deny", (
            "protect-secrets: secret files are off limits: "
            + listed
            + ". Do not look for another way to read or"
            " change them: ask the user to do this step, or, if there is no secret in it, to "
            + mend
            + "."
        )
    reason = "protect-secrets: this may reach a secret: " + listed + ". "
    if unsure == "deny":
        return "deny", reason + "Ask the user to do this step, or to " + mend + "."
    return (
        "ask",
        reason + "Allow it only if you know what it holds. To stop this question, " + mend + ".",
    )
