"""The bridge's start: an agent runs `python3 -I -S bridge.py AGENT EVENT` for every wired event.

Vendored as `.agents/hookpm/bridge.py`. This file is compiled anew on every call and has to be
readable for any Python, so it is as short as can be: it checks the version and hands over to
modules that are cached. Exit code is 0, or the one that a line asked for (answer.REFUSED): an agent
reads 2 as a block, and some read anything else as one.
"""

import sys

TOO_OLD = (
    '{"systemMessage": "hookpm: python3 is older than 3.8 here, '
    'so the hooks of this project do not run"}\n'
)
SHOWS_MESSAGES = ()  # type: tuple[str, ...]  # filled in where this file is vendored


def launch(agent, event, start, taken):
    # type: (str, str, list[str], list[bytes]) -> None
    """Make the modules beside this file importable as `hookpm`, and run the bridge.

    start: where the line of a user's config says that the agent was started, and a word more for
    user scope, which is not the user bridge; taken: gets the input.
    """
    try:
        import posix
    except ImportError:  # Windows, untested
        posix = sys.modules["posix"] = __import__("nt")
    here = sys.argv[0].rpartition("/")[0] or "."
    if here[0] != "/" and here[1:2] != ":":
        here = posix.getcwd() + "/" + here
    base = posix.environ.get(b"XDG_CACHE_HOME", b"")
    if base[:1] != b"/":  # a relative one would lie in whatever folder the agent works in
        base = posix.environ.get(b"HOME", b"") + b"/.cache"
    cache = None
    if base[:1] == b"/" and base != b"/.cache":
        cache = base.decode(sys.getfilesystemencoding(), "surrogateescape") + "/hookpm"
        sys.pycache_prefix = cache + "/pycache"  # what lies in the repo is hashed: no caches there
    else:
        sys.dont_write_bytecode = True
    for name in ("", "/bridge", "/contract", "/agents", "/agents/" + agent):
        package = type(sys)(("hookpm" + name).replace("/", "."))  # spares looking for __init__.py
        package.__path__ = [here + name]
        sys.modules[package.__name__] = package
    from hookpm.bridge.event import take_input

    taken.append(take_input())
    if start[1:]:
        from hookpm.bridge import home as bridge
    elif start:
        from hookpm.bridge import user as bridge  # type: ignore[no-redef]
    else:
        from hookpm.bridge import main as bridge  # type: ignore[no-redef]
    # _exit skips the interpreter's tidying up, which nobody waits for.
    posix._exit(bridge.main(agent, event, here, cache, taken[0], *start))


if __name__ == "__main__":
    shown = sys.argv[1:2] and sys.argv[1] in SHOWS_MESSAGES
    taken = []  # type: list[bytes]
    if sys.version_info < (3, 8):
        sys.stdout.write(TOO_OLD if shown else "")
        sys.exit(0)
    try:
        launch(sys.argv[1], sys.argv[2], sys.argv[3:5], taken)
    except Exception as error:
        try:
            from hookpm.bridge.failing import tell

            tell(error, bool(shown), taken)
        except Exception:
            sys.stderr.write("hookpm: the bridge is broken, so no hook ran: %r\n" % (error,))
