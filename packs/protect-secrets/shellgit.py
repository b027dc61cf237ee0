"""git: what its subcommands show, change or run."""

from commands import GIT_TALKS, GIT_TOUCHES, GIT_VALUES, MESSAGES
from globs import marked, plain
from secretnames import SURE
from secretpaths import entered, is_folder
from shellcalls import Call, Shell, ends_in, valued

_HISTORY = ("log", "shortlog", "reflog")
_DIFFS = ("diff", "show", "whatchanged", "diff-tree", "diff-index", "diff-files", "stash")
_PATCH_LETTERS = "puUcLW"
_PATCHES = (
    "--patch",
    "--cc",
    "--binary",
    "--remerge-diff",
    "--dd",
    "--full-diff",
    "--unified",
    "--diff-merges",
    "--function-context",
    "--word-diff",
    "--color-words",
    "--ext-diff",
)
_NAMES_ONLY = (
    "--stat",
    "--name-only",
    "--name-status",
    "--shortstat",
    "--numstat",
    "--summary",
    "--quiet",
    "--raw",
    "--dirstat",
    "--compact-summary",
)
# Settings whose value is a command, by the last part of the name or by all of it.
_RUN = (
    "pager",
    "editor",
    "external",
    "textconv",
    "smudge",
    "clean",
    "process",
    "driver",
    "cmd",
    "program",
    "sshcommand",
    "fsmonitor",
    "askpass",
    "helper",
    "difffilter",
    "proxy",
    "command",
)


def git(shell: Shell, call: Call) -> None:
    """One git command, with the options before its subcommand."""
    cwd = shell.place.cwd
    at = 0
    aliases = {}
    while at < len(call.args) and call.args[at][:1] == "-":
        word = call.args[at]
        value = "".join(call.args[at + 1 : at + 2])
        if word == "-C":
            shell.place.cwd = entered(value, shell.place)
        elif word == "-c":
            name, _, setting = value.partition("=")
            _setting(shell, call, name, setting)
            if name[:6] == "alias.":
                aliases[name[6:]] = setting
        at += 2 if word in GIT_VALUES else 1
    verb = "".join(call.args[at : at + 1])
    if verb in aliases and aliases[verb][:1] != "!":
        words = aliases[verb].split()
        _command(shell, call, "".join(words[:1]), [*words[1:], *call.args[at + 1 :]])
    elif verb:
        _command(shell, call, verb, call.args[at + 1 :])
    shell.place.cwd = cwd


def _setting(shell: Shell, call: Call, name: str, value: str) -> None:
    """`-c name=value`: some settings are commands, include.path is a file."""
    value = plain(value)
    if value[:1] == "!":
        shell.guessed(value[1:], call.depth, SURE)
    elif name.lower().rpartition(".")[2] in _RUN or name[:6].lower() == "pager.":
        shell.guessed(value, call.depth, SURE)
    elif name[:6] != "alias.":
        shell.touch(value, False)


def _command(shell: Shell, call: Call, name: str, args: "list[str]") -> None:
    if name in ("rm", "restore") and (
        "--cached" in args or ("--staged" in args and "--worktree" not in args)
    ):
        return  # only untracks or unstages: the way to mend a committed .env
    if name in _HISTORY and not _shows_patch(args):
        return
    if name in _DIFFS and _shows_names(args):
        return
    if name in ("apply", "am"):
        shell.patch([], call.node)
    if any(
        word == "--stdin"
        or (word[:7] == "--batch" and word[:13] != "--batch-check")
        or word == "--pathspec-from-file=-"
        for word in args
    ):
        shell.fed_files(call.node)
    if _runs(shell, call, name, args):
        return
    if name == "grep":
        shell.pattern_first("grep", args, pathspec=True)
        return
    if name == "config" and len(args) >= 2:
        _setting(shell, call, args[-2], args[-1])
    if name == "checkout" and _is_branch(shell, args):
        return
    known = name in GIT_TOUCHES or name in _HISTORY or "--add" in args
    if not known and name in GIT_TALKS:
        for at, word in enumerate(args):
            if (at and args[at - 1] in ("-f", "-F", "--file")) or word[:7] == "--file=":
                shell.touch(word)
        return
    _operands(shell, args, known)


def _operands(shell: Shell, args: "list[str]", known: bool) -> None:
    skip = False
    for word in args:
        if skip:
            skip = False
        elif word in (*MESSAGES, "--author", "--date", "-S", "-G") or (
            word[:1] == "-" and ends_in(word, "m")
        ):
            skip = True
        elif word.startswith(("-m", "--message=", "-S", "-G")):
            continue
        else:
            pathspec(shell, word, known)


def pathspec(shell: Shell, word: str, known: bool = True) -> None:
    """A path as git reads it: it expands wildcards itself, and to it a star matches a dot."""
    if word[:2] in (":!", ":^") or word.startswith(":(exclude"):
        return
    if word[:2] == ":(":
        word = word.partition(")")[2]
    pattern = marked(plain(word))
    if pattern == word or not plain(word).strip("*/."):
        shell.touch(word, known)
    else:
        shell.touch(pattern, known, dotted=True)


def _shows_patch(args: "list[str]") -> bool:
    for word in args:
        if word == "--":
            return False
        if word.startswith(_PATCHES):
            return True
        if word[:1] == "-" and word[1:2] != "-":
            for letter in word[1:]:
                if letter in _PATCH_LETTERS:
                    return True
                if letter in "SGnlOMCBX":
                    break  # the rest is its value
    return False


def _shows_names(args: "list[str]") -> bool:
    """`git diff --stat -- .env`: names and numbers. `show HEAD:.env` shows the file all the same,
    and --output writes one."""
    return (
        any(word.partition("=")[0] in _NAMES_ONLY for word in args)
        and not _shows_patch(args)
        and not any(":" in word or word.startswith(("--output", "--no-index")) for word in args)
    )


def _is_branch(shell: Shell, args: "list[str]") -> bool:
    """`git checkout feature/credentials.json`: no part of a branch's name starts with a dot, and
    a file's folder would be there."""
    if len(args) != 1 or "/" not in args[0]:
        return False
    folder, _, last = args[0].rpartition("/")
    return last[:1] != "." and not is_folder(entered(folder, shell.place))


def _runs(shell: Shell, call: Call, name: str, args: "list[str]") -> bool:
    """Subcommands that run a command; True if there is nothing else to judge."""
    if name == "rebase":
        for at, word in enumerate(args):
            letter, inline = valued(word, "x") if word[:2] != "--" else ("", "")
            if word[:1] == "-" and letter:
                shell.read(inline or "".join(args[at + 1 : at + 2]), call.depth + 1)
            elif word.startswith("--exec"):
                shell.read(word.partition("=")[2] or "".join(args[at + 1 : at + 2]), call.depth + 1)
    elif name == "bisect" and args[:1] == ["run"]:
        if args[1:]:
            shell.call(args[1:], call.node, call.depth + 1)
        return True
    elif name == "submodule" and "foreach" in args:
        rest = [word for word in args[args.index("foreach") + 1 :] if word != "--recursive"]
        shell.read(" ".join(rest), call.depth + 1)
        return True
    elif name == "filter-branch":
        for at, word in enumerate(args):
            option, equals, value = word.partition("=")
            if option.endswith("-filter") and word[:2] == "--":
                text = value if equals else "".join(args[at + 1 : at + 2])
                shell.read(text, call.depth + 1)
    elif name == "difftool":
        for at, word in enumerate(args):
            if word.startswith("--extcmd") or word == "-x":
                shell.read(word.partition("=")[2] or "".join(args[at + 1 : at + 2]), call.depth + 1)
    return False
