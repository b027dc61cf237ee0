"""The bridge's start: an agent runs `python3 -I -S bridge.py AGENT EVENT` for every wired event.

Vendored as `.agents/hookpm/bridge.py`. This file is compiled anew on every call and has to be
readable for any Python, so it only checks the version and hands over to modules that are cached.
Exit code is always 0: an agent reads 2 as a block, and some read anything else as one.
"""

import sys

TOO_OLD = (
    '{"systemMessage": "hookpm: python3 is older than 3.8 here, '
    'so the hooks of this project do not run"}'
)
SHOWS_MESSAGES = ("claude", "codex", "gemini")


def cache_folder(environment):
    # type: (dict[bytes, bytes]) -> str | None
    """The user's cache folder of hookpm, or None where there is no home."""
    base = environment.get(b"XDG_CACHE_HOME")
    if not base:
        home = environment.get(b"HOME")
        base = home and home + b"/.cache"
    return base.decode("utf-8", "surrogateescape") + "/hookpm" if base else None


def launch():
    # type: () -> None
    """Make the modules beside this file importable as `hookpm`, and run the bridge."""
    import posix

    here = sys.argv[0].rpartition("/")[0] or "."
    if not here.startswith("/"):
        here = posix.getcwd() + "/" + here
    cache = cache_folder(posix.environ)
    if cache:
        sys.pycache_prefix = cache + "/pycache"  # what lies in the repo is hashed: no caches there
    else:
        sys.dont_write_bytecode = True
    for name in ("", "/bridge", "/contract", "/agents", "/agents/" + sys.argv[1]):
        package = type(sys)(("hookpm" + name).replace("/", "."))  # spares looking for __init__.py
        package.__path__ = [here + name]
        sys.modules[package.__name__] = package
    from hookpm.bridge.main import main

    main(sys.argv[1:], here, cache)
    posix._exit(0)  # skips the interpreter's tidying up, which nobody waits for


def fail(error):
    # type: (Exception) -> None
    """Say on stderr, and where the agent shows it, that the bridge itself is broken."""
    text = "hookpm: the bridge is broken, so no hook ran: %s: %s" % (type(error).__name__, error)
    sys.stderr.write(text + "\n")
    if sys.argv[1:2] and sys.argv[1] in SHOWS_MESSAGES:
        import json

        sys.stdout.write(json.dumps({"systemMessage": text[:500]}) + "\n")


if __name__ == "__main__":
    if sys.version_info < (3, 8):
        if sys.argv[1:2] and sys.argv[1] in SHOWS_MESSAGES:
            sys.stdout.write(TOO_OLD + "\n")
        sys.exit(0)
    try:
        launch()
    except Exception as error:
        fail(error)
    sys.exit(0)
