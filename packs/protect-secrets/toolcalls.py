"""From a tool call to a verdict: which of its arguments are paths, globs, patches or shell text,
and what they name.
"""

from secretnames import NO, SURE, UNSURE, names
from secretpaths import Place, shown

# Keys (lower case, without _ and -) whose values name files. Others that end like one of ENDINGS
# do too.
PATHS = names(
    "path paths file files source sources src destination dest dst target targets uri uris url urls"
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
)
NO_PATHS = ("profile", "profiles")
GLOBS = names("glob globs include includes filepattern includepattern")
SHELL = names("command cmd commandline script shellcommand commands")
ARGUMENTS = names("args arguments argv")
PATCH = names("patch patchtext diff input")
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
    call.value(payload.get("tool_input"), "", 0)
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

    def value(self, value: object, key: str, level: int) -> None:
        """One value under its key; lists and objects are walked."""
        self.count += 1
        if self.count > MAX_VALUES or level > MAX_LEVELS:
            return
        if isinstance(value, dict):
            for name, inner in value.items():
                self.value(inner, name.lower().replace("_", "").replace("-", ""), level + 1)
        elif isinstance(value, list):
            if key in SHELL or (key in ARGUMENTS and self.shell):
                self.command([item for item in value if isinstance(item, str)])
                return
            for inner in value:
                self.value(inner, key, level + 1)
        elif isinstance(value, str):
            self.text(value, key)

    def text(self, text: str, key: str) -> None:
        """A string argument, by what its key says it is."""
        if key in SHELL:
            if "*** Begin Patch" in text[:200]:
                self.patch(text)
            if not text.lstrip().startswith("*** Begin Patch"):
                self.command(text)
        elif key in GLOBS:
            from shellspecial import FullShell as Shell

            shell = Shell(self.place)
            for pattern in text.split():
                shell.read_glob(pattern)
            self.found += shell.found
        elif key in PATCH and ("*** " in text or "+++ " in text):
            self.patch(text)
        elif key in PATHS or (key.endswith(ENDINGS) and not key.endswith(NO_PATHS)):
            self.path(text)

    def path(self, text: str) -> None:
        """A file's path, or a file: URL."""
        if (
            len(text) > LONGEST
            or "\n" in text.strip()
            or ("://" in text and text[:5].lower() != "file:")
        ):
            return
        level, what = self.place.judge(text)
        if level:
            self.found.append((level, what, text))
        elif "*" in text or "?" in text or "[" in text or "{" in text:
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
