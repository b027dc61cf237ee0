"""Keeps coding agents away from secret files: the program that the hook runs.

It only makes the modules beside it importable and their compiled code cacheable; hook.py does the
work. This file is compiled anew on every call, so it stays short.
"""

import sys


def _prepare() -> None:
    """Make this folder importable (-I leaves it out), and keep compiled code in the user's cache,
    never beside the code."""
    sys.path.insert(0, __file__.replace("\\", "/").rpartition("/")[0] or ".")
    if sys.pycache_prefix is not None:
        return
    try:
        import posix  # built in, and much cheaper than os
    except ImportError:
        sys.dont_write_bytecode = True
        return
    cache = posix.environ.get(b"XDG_CACHE_HOME", b"")
    home = posix.environ.get(b"HOME", b"")
    if not cache.startswith(b"/"):
        cache = home + b"/.cache" if home.startswith(b"/") else b""
    if cache:
        sys.pycache_prefix = cache.decode("utf-8", "surrogateescape") + "/hookpm/pycache"
    else:
        sys.dont_write_bytecode = True


if __name__ == "__main__":
    _prepare()
    from hook import main

    sys.exit(main())
