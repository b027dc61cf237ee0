"""How interpreters and shells say that they cannot find or start what a hook's command names.

Vendored; imported only where an exit code makes it possible. Observed: Python, dash, perl and uv
end with 2 then, the code of a block (busybox too, not observed); shells end with 126 or 127.
"""

# How shells and kernels end their word on a command that they cannot find or start.
_ENDINGS = (
    "not found",
    "No such file or directory",
    "Permission denied",
    "Is a directory",
    "Exec format error",
    "cannot execute",
)


def failure(exit_code: int, stderr: str) -> str:
    """The line of stderr that says so, or "". exit_code: 2, 126 or 127.

    Only their whole message counts (warnings may stand before it), never words inside a reason.
    """
    lines = [line.strip() for line in stderr.split("\n") if line.strip()]
    while len(lines) > 1 and "warning" in lines[0].lower():
        del lines[0]
    if len(lines) == 2 and lines[0].startswith("error: Failed to spawn: "):  # uv
        return lines[0] if lines[1].endswith("(os error 2)") else ""
    if len(lines) != 1:
        return ""
    found = _names_no_script(lines[0]) if exit_code == 2 else _names_no_program(lines[0])
    return lines[0] if found else ""


def _names_no_program(said: str) -> bool:
    return said.endswith(_ENDINGS) or "cannot execute" in said or "can't open" in said.lower()


def _names_no_script(said: str) -> bool:
    if said.startswith("Can't open perl script \""):
        return True
    if ": 0: cannot open " in said or ": .: cannot open " in said:  # dash
        return _is_program(said.split(": ", 1)[0])
    program, found, _ = said.partition(": can't open '")
    if found:  # busybox
        return _is_program(program)
    program, found, rest = said.partition(": can't open file '")
    name = program.rpartition("/")[2].lower()
    return bool(found) and "': [Errno " in rest and "py" in name and _is_program(program)


def _is_program(text: str) -> bool:
    """Is this how a program names itself in front of a message? (Paths may hold spaces.)"""
    return ": " not in text and (text.startswith("/") or " " not in text)
