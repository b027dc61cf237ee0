"""Programs with rules of their own: git, find, curl, the shell's cd, eval, read and the like."""

from commands import GIT_TALKS, GIT_TOUCHES, GIT_VALUES, MESSAGES, SEND_OPTIONS
from globs import UNKNOWN, marked, plain
from secretnames import SURE
from secretpaths import entered
from shellcalls import Call, Shell, ends_in, filled
from shellrun import bare_name
from shellwords import Command


class FullShell(Shell):
    """A Shell that knows these programs as well."""

    def _cd(self, call: Call) -> None:
        where = [arg for arg in call.args if arg == "-" or arg[:1] != "-"][:1]
        now = self.place.cwd
        if where == ["-"] or call.name == "popd":
            target = self.previous
        elif not where:
            target = self.place.home
        else:
            target = entered(where[0], self.place)
        self.previous = now
        self.place.cwd = target

    def _eval(self, call: Call) -> None:
        if call.name == "alias":
            for arg in call.args:
                self.read(arg.partition("=")[2], call.depth + 1)
        elif call.name == "trap":
            self.read("".join(call.args[:1]), call.depth + 1)
        else:
            self.read(" ".join(call.args), call.depth + 1)

    def _declare(self, call: Call) -> None:
        for arg in call.args:
            variable, equals, value = arg.partition("=")
            if equals:
                self._assign(variable, [value])

    def _set(self, call: Call) -> None:
        if "--" in call.args:
            values = call.args[call.args.index("--") + 1 :]
            self.vars["@"] = values or [""]
            for number, value in enumerate(values[:9]):
                self.vars[str(number + 1)] = [value]

    def _read(self, call: Call) -> None:
        """`... | while read f`: the variable may hold what was named before the pipe."""
        values = self.fed(call.node)
        for arg in call.args:
            if arg[:1] != "-":
                self._assign(arg, values or [UNKNOWN])

    def _find(self, call: Call) -> None:
        """find and fd: what -exec runs gets the names searched for (fd adds them where it has no
        {}); -delete removes them.
        """
        names = []
        starts = []
        for at, word in enumerate(call.args):
            before = call.args[at - 1] if at else ""
            if before in ("-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"):
                if call.args[at - 2 : at - 1] not in (["!"], ["-not"]):
                    names.append(marked(plain(word)))
            elif call.name in ("fd", "fdfind"):
                starts += [bare_name(word)] if word[:1] != "-" else []
            elif word[:1] not in ("-", "(", "!", ")") and before[:1] != "-":
                starts.append(word)
        fields = names or starts or ["."]
        if "-delete" in call.args:
            for field in fields:
                self.touch(field, dotted=True)
        at = 0
        while at < len(call.args):
            word = call.args[at]
            at += 1
            if word in ("-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"):
                end = at
                while end < len(call.args) and call.args[end] not in (";", "+"):
                    end += 1
                if call.args[at:end]:
                    added = fields if call.name in ("fd", "fdfind") else []
                    self._exec([*call.args[at:end], *added], fields, call.node, call.depth)
                at = end

    def _exec(self, command: "list[str]", fields: "list[str]", node: Command, depth: int) -> None:
        dotted = self.place.dotted
        self.place.dotted = True
        self.call(filled(command, fields), node, depth + 1)
        self.place.dotted = dotted

    def _send(self, call: Call) -> None:
        """curl and wget: only what an option or an @ makes a file."""
        for at, word in enumerate(call.args):
            before = call.args[at - 1] if at else ""
            if "://" in word:
                if word[:5].lower() == "file:":
                    self.touch(word)
            elif before in SEND_OPTIONS and before not in (
                "-d",
                "--data",
                "--data-raw",
                "--json",
                "-F",
                "--form",
            ):
                self.touch(word)
            elif call.name in ("xh", "http", "https") and "@" in word:
                self.touch(word.partition("@")[2])
            elif word.startswith("@"):
                self.touch(word[1:])
            elif "=@" in word or "=<" in word:
                self.touch(word.replace("=<", "=@").partition("=@")[2].partition(";")[0])
            elif word[:1] == "-":
                _, equals, value = word.partition("=")
                self.touch(value if equals else word[2:].lstrip("@"))

    def _git(self, call: Call) -> None:
        cwd = self.place.cwd
        at = 0
        while at < len(call.args) and call.args[at][:1] == "-":
            value = "".join(call.args[at + 1 : at + 2])
            if call.args[at] == "-C":
                self._cd(Call("cd", [value], call.node, call.depth))
            elif call.args[at] == "-c" and value.startswith("alias."):
                self.guessed(value.partition("=!")[2], call.depth, SURE)
            at += 2 if call.args[at] in GIT_VALUES else 1
        if call.args[at : at + 1] in (["apply"], ["am"]):
            self._patch([], call.node)
        self._git_command(call.args[at : at + 1], call.args[at + 1 :])
        self.place.cwd = cwd

    def _git_command(self, verb: "list[str]", args: "list[str]") -> None:
        name = verb[0] if verb else ""
        if name in ("rm", "restore") and (
            "--cached" in args or ("--staged" in args and "--worktree" not in args)
        ):
            return  # only untracks or unstages: the way to mend a committed .env
        if name in ("log", "shortlog") and not any(
            arg in ("-p", "-u", "--patch", "-L", "--full-diff")
            or arg.startswith(("-L", "-U", "--patch"))
            for arg in args
        ):
            return
        if name in ("grep",):
            self._pattern_first("grep", args)
            return
        known = name in GIT_TOUCHES or name == "log" or "--add" in args
        if not known and name in GIT_TALKS:
            for at, word in enumerate(args):
                if (at and args[at - 1] in ("-f", "-F", "--file")) or word[:7] == "--file=":
                    self.touch(word)
            return
        skip = False
        for word in args:
            if skip:
                skip = False
            elif word in (*MESSAGES, "--author", "--date", "-S", "-G") or (
                word[:1] == "-" and ends_in(word, "m")
            ):
                skip = True
            elif word[:2] in (":!", ":^") or word.startswith(
                (":(exclude", "-m", "--message=", "-S", "-G")
            ):
                continue
            else:
                self.touch(word, known)

    def _ssh(self, call: Call) -> None:
        """A remote command reads remote files: still a secret, but a guess."""
        self.touch_all([arg for arg in call.args if " " not in arg], False)
        self.guessed(
            plain(" ".join(arg for arg in call.args if arg[:1] != "-")).partition(" ")[2],
            call.depth,
        )
        for arg in call.args:
            if " " in arg:
                self.guessed(arg, call.depth)

    def _copy_far(self, call: Call) -> None:
        """scp, sftp, rsync: the key after -i is used, not copied."""
        for at, word in enumerate(call.args):
            if at and call.args[at - 1] == "-i":
                self.touch(word, False)
            elif at and call.args[at - 1] in ("-e", "--rsh"):
                self.guessed(word, call.depth)
            elif not (
                at and call.args[at - 1] in ("--exclude", "--exclude-from")
            ) and not word.startswith("--exclude"):
                self.touch(word)

    def _gh(self, call: Call) -> None:
        """gh and glab: titles, bodies and notes are prose; files may be sent."""
        texts = (*MESSAGES, "-t", "-n", "-d")
        args = call.args
        kept = [arg for at, arg in enumerate(args) if not (at and args[at - 1] in texts)]
        self._unknown(kept, call.depth)

    def _ftp(self, call: Call) -> None:
        self._copy_far(call)
        if call.node.given:
            self.code(call.node.given)

    def _uv(self, call: Call) -> None:
        if call.args[:1] != ["venv"]:
            self._unknown(call.args, call.depth)


FullShell.special = {
    **dict.fromkeys(("cd", "pushd", "popd"), FullShell._cd),
    **dict.fromkeys(("eval", "alias", "trap"), FullShell._eval),
    **dict.fromkeys(("export", "local", "declare", "typeset", "readonly"), FullShell._declare),
    **dict.fromkeys(("find", "gfind", "fd", "fdfind", "bfs"), FullShell._find),
    **dict.fromkeys(("curl", "wget", "wget2", "xh", "http", "https", "aria2c"), FullShell._send),
    **dict.fromkeys(("git", "yadm", "config"), FullShell._git),
    **dict.fromkeys(("scp", "rsync"), FullShell._copy_far),
    "set": FullShell._set,
    "read": FullShell._read,
    "ssh": FullShell._ssh,
    "uv": FullShell._uv,
    **dict.fromkeys(("gh", "glab", "hub"), FullShell._gh),
    **dict.fromkeys(("sftp", "ftp", "lftp"), FullShell._ftp),
}
