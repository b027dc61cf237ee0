"""Windows' paths and programs as values: which kind of path, which name, which python3 is none.

Pure: text to text, on every system.
"""

from __future__ import annotations

import re

ABSOLUTE, DRIVE_RELATIVE, ROOTED = "absolute", "drive-relative", "rooted"
UNC, DEVICE, RELATIVE = "unc", "device", "relative"
LONGEST = 260  # with the closing NUL; more needs the prefix, or a setting of the machine

_DRIVE = re.compile(r"[A-Za-z]:")
_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[1-9\u00b9\u00b2\u00b3])", re.I)


def kind(path: str) -> str:
    r"""What a path starts from: C:\x, C:x, \x, \\server\share\x, \\?\x or \\.\x, or x."""
    plain = path.replace("/", "\\")
    if plain.startswith(("\\\\?\\", "\\\\.\\")):
        return DEVICE
    if plain.startswith("\\\\"):
        return UNC
    if _DRIVE.match(plain):
        return ABSOLUTE if plain[2:3] == "\\" else DRIVE_RELATIVE
    return ROOTED if plain.startswith("\\") else RELATIVE


def from_posix_shell(path: str) -> str:
    r"""The path of a program for Windows behind one of Git Bash (/c/x), Cygwin (/cygdrive/c/x) or
    WSL (/mnt/c/x); any other stays as it is."""
    found = re.fullmatch(r"/(?:cygdrive/|mnt/)?([A-Za-z])(/.*)?", path)
    if found is None:
        return path
    return f"{found[1].upper()}:" + (found[2] or "/").replace("/", "\\")


def extended(path: str) -> str:
    r"""An absolute path that may be longer than Windows takes, with the prefix that lifts that.

    Raises ValueError for a path that is not absolute: behind the prefix nothing is resolved.
    """
    plain = path.replace("/", "\\")
    what = kind(plain)
    if what == DEVICE or len(plain) + 1 <= LONGEST:
        return plain
    if what == UNC:
        return "\\\\?\\UNC\\" + plain[2:]
    if what != ABSOLUTE:
        raise ValueError(f"{path} is not absolute")
    return "\\\\?\\" + plain


def name_problem(name: str) -> str | None:
    """Why Windows keeps no file of this name, in words; None where it does."""
    if re.search(r'[<>:"/\\|?*\x00-\x1f]', name):
        return "it holds a character that Windows takes in no name"
    if name != name.rstrip(". "):
        return "Windows drops the dot or space at its end"
    stem = name.split(".")[0].rstrip(" ")
    return "Windows keeps the name for a device" if _DEVICES.fullmatch(stem) else None


def same(one: str, other: str) -> bool:
    """Do two paths name one file on a disk that is blind to case, as Windows' disks are?"""
    first, second = (re.sub(r"(?<=.)\\+", r"\\", path.replace("/", "\\")) for path in (one, other))
    return first.rstrip("\\").casefold() == second.rstrip("\\").casefold()


def is_store_link(program: str) -> bool:
    """Is a `python3` from PATH the link that opens Windows' store and starts no Python?"""
    return "\\microsoft\\windowsapps\\" in program.replace("/", "\\").casefold()


def is_wsl_bash(program: str) -> bool:
    r"""Is a `bash` from PATH the one that starts Linux, with another file system: System32's?"""
    plain = program.replace("/", "\\").casefold()
    folder, _, name = plain.rpartition("\\")
    in_system = folder.endswith(("\\windows\\system32", "\\windows\\sysnative"))
    return name in ("bash.exe", "bash") and (in_system or is_store_link(plain))
