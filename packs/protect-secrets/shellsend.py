"""curl, wget and their like: only what an option or an @ makes a file is one, the rest of the line
is addresses and headers.
"""

from secretnames import names
from shellcalls import Call, Shell, valued

# Short options: those whose value is a file, and the others that take a value. What is no file
# may still be `@file`.
_SHORT = {
    "curl": ("TKobcED", "dFHXuAemxwrCyYztQPU"),
    "wget": ("Ooaie", "PUtTwQlARDIXB"),
    "aria2c": ("ioT", "dljskx"),
    "xh": ("o", "abAFps"),
}
_SHORT["wget2"] = _SHORT["wget"]
_SHORT["http"] = _SHORT["https"] = _SHORT["xh"]

_FILES = names(
    "--upload-file --config --output --cookie --cookie-jar --cert --key --netrc-file "
    "--output-document --input-file --post-file --body-file --data-binary --data-ascii "
    "--data-urlencode --url-query --trace --trace-ascii --dump-header --cacert --private-key "
    "--certificate --variable --append-output --output-file --load-cookies --save-cookies "
    "--execute --proxy-cert --proxy-key --ca-certificate --torrent-file --stderr --libcurl "
    "--etag-save --etag-compare --hsts --alt-svc --load-session --save-session"
)
_TEXTS = names(
    "--data --data-raw --json --form --form-string --header --user --user-agent --referer "
    "--request --url --write-out --post-data --body-data --method"
)


def _pairs(call: Call) -> "list[tuple[str, str]]":
    """(kind, value): kind is "file", "text" for the value of any other option, or ""."""
    files, others = _SHORT[call.name]
    out = []
    at = 0
    while at < len(call.args):
        word = call.args[at]
        following = "".join(call.args[at + 1 : at + 2])
        at += 1
        if word[:2] == "--":
            option, equals, value = word.partition("=")
            kind = _long(option)
            if kind and not equals:
                value = following
                at += 1
            out.append((kind or "file", value))
        elif word[:1] == "-" and len(word) > 1:
            letter, inline = valued(word, files + others)
            if letter:
                at += 0 if inline else 1
                out.append(("file" if letter in files else "text", inline or following))
        else:
            out.append(("", word))
    return out


def _long(option: str) -> str:
    """ "file", "text" or "" for a long option, which may be shortened."""
    if option in _FILES or option in _TEXTS:
        return "file" if option in _FILES else "text"
    if len(option) > 5 and any(name.startswith(option) for name in _FILES):
        return "file"
    return ""


def send(shell: Shell, call: Call) -> None:
    """What these programs read, send or write."""
    for kind, value in _pairs(call):
        if "://" in value:
            if value[:5].lower() == "file:":
                shell.touch(value)
        elif value[:1] == "@":
            shell.touch(value[1:])
        elif "=@" in value or "=<" in value:
            shell.touch(value.replace("=<", "=@").partition("=@")[2].partition(";")[0])
        elif kind == "file":
            shell.touch(value)
        elif not kind and call.name in ("xh", "http", "https") and "@" in value:
            shell.touch(value.partition("@")[2])
