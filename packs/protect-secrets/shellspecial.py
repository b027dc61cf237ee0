"""Programs with rules of their own: git, find, curl, the shell's cd, eval, read and the like."""

from commands import MESSAGES
from globs import UNKNOWN, marked, plain
from secretpaths import entered
from shellcalls import Call, Shell, filled
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
        at = 0
        while at < len(call.args) and call.args[at][:1] in ("-", "+") and call.args[at] != "--":
            at += 2 if call.args[at] in ("-o", "+o") else 1
        if call.args[at : at + 1] == ["--"]:
            self._positional(call.args[at + 1 :])
        elif call.args[at:]:
            self._positional(call.args[at:])

    def _positional(self, values: "list[str]") -> None:
        self.vars["@"] = values or [""]
        for number in range(9):
            self.vars[str(number + 1)] = values[number : number + 1]

    def _shift(self, call: Call) -> None:
        number = "".join(call.args[:1]) or "1"
        if "@" in self.vars and number.isdecimal() and len(number) < 6:
            self._positional(self.vars["@"][int(number) :])

    def _shopt(self, call: Call) -> None:
        """dotglob: from here on a star takes hidden files as well."""
        if "dotglob" in call.args or "globdots" in call.args:
            self.place.dotted = "-u" not in call.args

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
            elif before == "-samefile":
                names.append(word)
            elif before.startswith(("-fprint", "-fls")):
                self.touch(word)
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
        from shellsend import send

        send(self, call)

    def _git(self, call: Call) -> None:
        from shellgit import git

        git(self, call)

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
        if "--files-from=-" in call.args or "--files-from" in call.args:
            self.fed_files(call.node)
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
        texts = (*MESSAGES, "-t", "-n", "-d", "-q", "--jq", "--template")
        args = [arg for arg in call.args if not arg.startswith(("--jq=", "--template="))]
        kept = [arg for at, arg in enumerate(args) if not (at and args[at - 1] in texts)]
        self._unknown(kept, call.depth)

    def _ftp(self, call: Call) -> None:
        self._copy_far(call)
        if call.node.given:
            self.code(call.node.given)

    def _keys(self, call: Call) -> None:
        """A key that is made where there is none is no secret yet; making it shows nothing."""
        makes = call.name == "ssh-keygen" or call.args[:1] in (
            ["genrsa"],
            ["genpkey"],
            ["ecparam"],
            ["req"],
        )
        new = set()
        for at, word in enumerate(call.args):
            before = call.args[at - 1] if at else ""
            if makes and before in ("-out", "-keyout", "-f") and not self.place.exists(word):
                new.add(at)
        if call.name == "ssh-keygen" and "-t" not in call.args:
            new.clear()
        self._unknown([arg for at, arg in enumerate(call.args) if at not in new], call.depth)

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
    "shift": FullShell._shift,
    **dict.fromkeys(("shopt", "setopt", "unsetopt"), FullShell._shopt),
    "read": FullShell._read,
    "ssh": FullShell._ssh,
    "uv": FullShell._uv,
    **dict.fromkeys(("openssl", "ssh-keygen"), FullShell._keys),
    **dict.fromkeys(("gh", "glab", "hub"), FullShell._gh),
    **dict.fromkeys(("sftp", "ftp", "lftp"), FullShell._ftp),
}
