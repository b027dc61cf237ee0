"""What programs do with the names they are given. Tables only.

TOUCHES opens, changes, sends or removes the files named as its arguments; TALKS does not look
into them; a program in neither is not known: a secret among its arguments is a question, not an
answer.
"""

from secretnames import names

TOUCHES = names(
    "cat tac nl head tail less more most bat batcat ccat view vi vim nvim nano emacs ed ex pico "
    "micro od xxd hexdump hd strings base64 base32 basenc uuencode cut paste sort uniq wc rev "
    "fold fmt pr expand unexpand column comm join diff diff3 cmp sdiff colordiff vimdiff delta "
    "icdiff difft md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum shasum cksum b2sum "
    "sum xz xzcat gzip bzip2 bzcat zstd zstdcat gunzip zcat lz4 tar bsdtar zip 7z 7za rar cpio "
    "ar pax cp mv rm unlink shred srm ln link install rsync scp sftp tee dd truncate sponge "
    "split csplit source . mapfile readarray iconv dos2unix unix2dos patch shuf look tsort ptx "
    "lolcat glow pygmentize highlight mlr rename mmv type get-content gc set-content "
    "add-content out-file copy-item move-item remove-item select-string del copy move ren trash "
    "gio rmtrash pbcopy xclip lpr enscript cpio zless zmore bzless tailf multitail pv ddrescue "
    "nc ncat dotenv-linter envsubst apply_patch notepad"
)
TALKS = names(
    "echo printf ls ll la dir vdir exa eza lsd tree stat file du df test [ [[ true false : "
    "mkdir rmdir touch chmod chown chgrp chattr lsattr getfacl setfacl xattr basename dirname "
    "realpath readlink pwd cd pushd popd dirs which whereis hash unalias unset set shopt return "
    "exit break continue let wait jobs kill ps sleep date man help history logger say "
    "notify-send virtualenv pgrep pkill seq expr yes tput read printenv umask uname whoami "
    "hostname test-path get-childitem new-item write-output write-host export local declare "
    "typeset readonly"
)

# The first operand is a pattern or a program, the rest are files. Letters: short options that take
# a value.
PATTERN_FIRST = {
    **dict.fromkeys(
        ("grep", "egrep", "fgrep", "zgrep", "zegrep", "bzgrep", "xzgrep", "pcregrep"), "efmABCdD"
    ),
    **dict.fromkeys(("rg", "ripgrep", "ugrep", "ug"), "efgmABCjtTMEr"),
    **dict.fromkeys(("ag", "ack", "pt", "sift"), "ABCmgG"),
    **dict.fromkeys(("sed", "gsed", "sd"), "efl"),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), "vFfe"),
    **dict.fromkeys(("jq", "yq", "xq", "tomlq", "dasel", "gron", "jaq"), "fL"),
    **dict.fromkeys(("ast-grep", "sg", "comby"), "pl"),
}
GREPS = names("grep egrep fgrep zgrep zegrep rg ripgrep ugrep ug ag ack")
AWKS = names("awk gawk mawk nawk")
SEDS = names("sed gsed")
FIRST_WORDS = ("e", "eval", "ea", "eval-all", "select", "put", "delete")  # of yq and dasel
GLOB_OPTIONS = ("--include", "-g", "--glob", "--iglob")
TWO_VALUES = ("--arg", "--argjson")  # jq
NAME_AND_FILE = ("--slurpfile", "--rawfile", "--argfile")

SHELLS = names("bash sh zsh dash ksh ash mksh fish rbash busybox-sh")
# Programs that take code as text: which options do. A short option may stand in a cluster, as in
# perl -ne.
CODE = {
    "python": "c",
    "pypy": "c",
    "node": "ep",
    "nodejs": "ep",
    "deno": "",
    "bun": "ep",
    "perl": "eE",
    "ruby": "e",
    "php": "rBRE",
    "lua": "e",
    "luajit": "e",
    "osascript": "e",
    "rscript": "e",
    "tclsh": "",
    "julia": "eE",
    "elixir": "e",
    "pwsh": "",
    "powershell": "",
    "groovy": "e",
    "irb": "",
    "ipython": "c",
    "sqlite3": "",
}
CODE_LONG = (
    "--eval",
    "--print",
    "-command",
    "--command",
    "--cmd",
    "--execute",
    "-encodedcommand",
    "-c",
    "-e",
    "eval",
)

# Programs that run the command that follows: the options that take a value, and how many operands
# come before it.
WRAPPERS = {
    "sudo": ("-u -g -h -p -C -r -t -U -T -D -R --user --group --chdir --prompt", 0),
    "doas": ("-u -C", 0),
    "env": ("-u -C --unset --chdir", 0),
    "nohup": ("", 0),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n -p", 0),
    "chrt": ("-p", 1),
    "taskset": ("", 1),
    "time": ("-f -o --format --output", 0),
    "timeout": ("-s -k --signal --kill-after", 1),
    "gtimeout": ("-s -k --signal --kill-after", 1),
    "xargs": (
        "-I -i -n -P -d -L -E -s -a --max-args --max-procs --delimiter --replace --arg-file",
        0,
    ),
    "command": ("", 0),
    "builtin": ("", 0),
    "exec": ("-a", 0),
    "stdbuf": ("-i -o -e", 0),
    "setsid": ("", 0),
    "unbuffer": ("", 0),
    "strace": ("-e -o -p -s -u -E -P", 0),
    "ltrace": ("-e -o -p -s -u", 0),
    "caffeinate": ("-t -w", 0),
    "flock": ("-w -E --timeout", 1),
    "chroot": ("--userspec --groups", 1),
    "busybox": ("", 0),
    "toybox": ("", 0),
    "proxychains4": ("-f", 0),
    "firejail": ("", 0),
    "watch": ("-n -d --interval", 0),
    "parallel": ("-j --jobs -I --max-args -n -a --arg-file", 0),
    "rtk": ("", 0),
}

# Of these, the options that name a folder to run in, and those that name a file.
WRAPPER_FOLDERS = {"env": ("C", "--chdir"), "sudo": ("D", "--chdir")}
WRAPPER_FILES = {
    "xargs": ("a", "--arg-file"),
    "parallel": ("a", "--arg-file"),
    "time": ("o", "--output"),
    "strace": ("o", "--output"),
    "ltrace": ("o", "--output"),
    "proxychains4": ("f",),
}
# Options of many programs whose value is a folder that the paths after it start from.
ENTERING = ("-C", "--directory", "--cwd", "--chdir", "--workdir")

# Variables whose value a program runs, or reads as a script.
RUN_BY_VALUE = names(
    "PAGER GIT_PAGER MANPAGER LESSOPEN LESSCLOSE EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR"
    " GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS BROWSER PROMPT_COMMAND SHELL"
)
READ_BY_VALUE = names("BASH_ENV ENV")
# Programs that run what they read from their input as commands.
RUN_INPUT = names("at batch crontab tmux expect nc")

# The next word of these options is prose.
MESSAGES = (
    "-m",
    "--message",
    "--body",
    "-b",
    "--title",
    "--description",
    "--notes",
    "--subject",
    "--comment",
    "--reason",
)

GIT_VALUES = (
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--exec-path",
    "--super-prefix",
    "--config-env",
)
GIT_TOUCHES = names(
    "add stage diff show checkout restore rm mv blame annotate cat-file archive grep stash "
    "apply am hash-object difftool mergetool commit checkout-index format-patch diff-files "
    "diff-index diff-tree clean show-ref whatchanged range-diff bundle"
)
GIT_TALKS = names(
    "status check-ignore check-attr ls-files ls-tree log branch tag push pull fetch config "
    "clone rev-parse rev-list update-index merge rebase init remote reset cherry-pick revert "
    "describe shortlog reflog worktree submodule sparse-checkout filter-branch filter-repo gc "
    "fsck prune notes help version merge-base name-rev count-objects bisect switch"
)
