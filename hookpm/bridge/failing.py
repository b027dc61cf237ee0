"""The bridge itself is broken: say so on stderr, and to the user once a session.

Vendored. Rests on nothing else of the bridge, for any of it may be missing.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def tell(error: Exception, shown: bool, taken: "Sequence[bytes]") -> None:
    """Say it, and end with 0. shown: the agent shows its user a systemMessage; taken: the input, as
    far as it was read."""
    import json

    text = "hookpm: the bridge is broken, so no hook ran: %s: %s" % (type(error).__name__, error)
    out = b""
    if shown and "SessionEnd" not in sys.argv and _is_news(b"".join(taken) if taken else _read()):
        out = json.dumps({"systemMessage": text[:500]}).encode("ascii") + b"\n"
    for handle, words in ((2, (text + "\n").encode("utf-8", "backslashreplace")), (1, out)):
        try:
            os.write(handle, words)
        except OSError:
            pass
    os._exit(0)


def _read() -> bytes:
    try:
        with open(0, "rb", closefd=False) as stdin:
            return stdin.read() or b""
    except (OSError, ValueError):
        return b""


def _is_news(data: bytes) -> bool:
    """Has this session not been told yet? In doubt it is told. data: the agent's input."""
    import hashlib
    import json

    cache = sys.pycache_prefix
    try:
        payload = json.loads(data.decode("utf-8", "replace"))
        session = payload.get("session_id") or payload.get("sessionId")
        if not session or not cache:
            return True
        mark = hashlib.sha256(str(session).encode("utf-8", "replace")).hexdigest()[:32]
        folder = os.path.join(os.path.dirname(cache), "sessions")
        os.makedirs(folder, 0o700, exist_ok=True)
        path = os.path.join(folder, "broken-" + mark)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    except Exception:
        return True
    return True
