"""Which files a patch touches: Codex's apply_patch format, and unified diffs."""

_HEADS = ("*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "*** Rename to:")
_DIFF = ("+++ ", "--- ", "rename to ", "rename from ", "copy to ", "copy from ")


def patched_files(text: str) -> "list[str]":
    """Paths as the patch writes them; [] for a text that is no patch."""
    if "*** " not in text and "+++ " not in text and not ("rename " in text or "copy " in text):
        return []
    files: "list[str]" = []
    for line in text.split("\n"):
        line = line.rstrip("\r")
        bare = line.strip()
        if bare.startswith("*** "):
            files.extend(bare[len(head) :].strip() for head in _HEADS if bare.startswith(head))
        elif line.startswith(_DIFF):
            path = line.split(" ", 1 if line[0] in "+-" else 2)[-1].partition("\t")[0].strip()
            files.append(path[2:] if path[:2] in ("a/", "b/") else path)
    return files
