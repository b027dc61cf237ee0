"""Runs git so that neither a repository nor this process's surroundings decide what it does.

Of the user's own configuration git sees what says how to reach a host: credentials, proxies,
certificates, the ssh command, `url.*.insteadOf`. All else of it is left out (hooks, filters, a file
monitor, aliases, transports), and so is every GIT_ variable that does not serve the same ends: a
hookpm that is started by a git hook inherits GIT_DIR and the like. Nothing is ever checked out.
"""

from __future__ import annotations

import atexit
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

from hookpm.errors import SystemFailureError

TIME_LIMIT = 600.0  # seconds, for one command
STALL = 60  # seconds without a thousand bytes each
TRANSFER_LIMIT = 512 * 1024 * 1024  # bytes that one fetch may bring
OLDEST = (2, 32)  # knows GIT_CONFIG_GLOBAL and GIT_CONFIG_COUNT

_KEPT_VARIABLES = (
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_ASKPASS",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_CERT",
    "GIT_SSL_KEY",
    "GIT_SSL_CERT_PASSWORD_PROTECTED",
    "GIT_SSL_VERSION",
    "GIT_SSL_CIPHER_LIST",
    "GIT_PROXY_SSL_CAINFO",
    "GIT_PROXY_SSL_CERT",
    "GIT_PROXY_SSL_KEY",
    "GIT_PROXY_SSL_CERT_PASSWORD_PROTECTED",
    "GIT_HTTP_PROXY_AUTHMETHOD",
    "GIT_HTTP_USER_AGENT",
)
# Keys as `git config --list` prints them: section and last part in lowercase.
_KEPT_CONFIG = re.compile(
    r"safe\.directory|credential\..+|url\..+\.insteadof|core\.sshcommand|core\.askpass|ssh\.variant|"
    r"http\.(?:.+\.)?(?:proxy|proxyauthmethod|proxyssl\w+|sslbackend|sslca\w+|sslcert\w*|sslkey\w*|"
    r"sslversion|sslcipherlist|schannel\w+|pinnedpubkey|extraheader|cookiefile|emptyauth|"
    r"proactiveauth|delegation|useragent|version|curloptresolve)",
    re.DOTALL,
)
_OURS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "core.bigFileThreshold": "32m",  # larger files are passed through, not held
    "gc.auto": "0",
    "maintenance.auto": "false",
    "fetch.unpackLimit": "1",  # one growing file, which can be watched
    "fetch.recurseSubmodules": "false",
    "submodule.recurse": "false",
    "transfer.bundleURI": "false",
    "protocol.version": "2",
    "http.sslVerify": "true",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": str(STALL),
}


# What runs is ended with this process, whatever thread waits for it.
_running: set[subprocess.Popen[bytes]] = set()
_closing = threading.Event()

Watch = Callable[[int, bool], None]


class Ran(NamedTuple):
    """What a command came to. cut: it was ended, since it wrote more than it may."""

    code: int
    out: bytes
    err: str
    cut: bool = False


def local(
    repo: Path | None, *arguments: str, stdin: bytes = b"", out_limit: int = 64 * 1024 * 1024
) -> Ran:
    """Run git on a repository of ours; no network, none of the user's configuration."""
    return _run(repo, arguments, _environment({}, ""), stdin, out_limit)


def remote(
    repo: Path | None, *arguments: str, http: bool = False, watch: Watch | None = None
) -> Ran:
    """Run git so that it may speak to a host, with the user's own ways to reach it.

    http: plain http too, which is for this machine alone, and follows no redirect. watch: is told
    how many bytes have come, and at the end that it is the end. Raises SystemFailureError where
    git takes too long, or brings more than TRANSFER_LIMIT.
    """
    config = [*_users_config(), ("http.followRedirects", "false" if http else "initial")]
    more = {f"GIT_CONFIG_KEY_{index}": key for index, (key, _) in enumerate(config)}
    more |= {f"GIT_CONFIG_VALUE_{index}": value for index, (_, value) in enumerate(config)}
    more["GIT_CONFIG_COUNT"] = str(len(config))
    own_ssh = {"GIT_SSH", "GIT_SSH_COMMAND"} & os.environ.keys()
    if not own_ssh and not any(key == "core.sshcommand" for key, _ in config):
        more["GIT_SSH_COMMAND"] = "ssh -o BatchMode=yes -o ConnectTimeout=30"
    # A git that serves a folder of this machine sees no variables of this kind, but this file.
    with tempfile.NamedTemporaryFile("w", prefix="hookpm-git-", encoding="utf-8") as trusted:
        trusted.write(_trusted_folders(config))
        trusted.flush()
        more["GIT_CONFIG_GLOBAL"] = trusted.name
        environment = _environment(more, "https:ssh:file" + (":http" if http else ""))
        return _run(repo, arguments, environment, b"", 64 * 1024 * 1024, watch)


def _trusted_folders(config: Sequence[tuple[str, str]]) -> str:
    """A configuration that holds what the user says of other users' folders, and nothing else."""
    values = [value for key, value in config if key == "safe.directory" and value.isprintable()]
    quoted = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "[safe]\n" + "".join(f'\tdirectory = "{value}"\n' for value in quoted)


@cache
def check_version() -> None:
    """Raise SystemFailureError where git is missing or too old."""
    said = _run(None, ("version",), _environment({}, ""), b"", 1000).out.decode(errors="replace")
    numbers = re.search(r"(\d+)\.(\d+)", said)
    if numbers and (int(numbers[1]), int(numbers[2])) < OLDEST:
        raise SystemFailureError(
            f"packs from git need git {OLDEST[0]}.{OLDEST[1]} or newer",
            cause=f"this is {said.strip()}",
            hint="upgrade git, or clone the repository and install the folder",
        )


def _users_config() -> list[tuple[str, str]]:
    """What is kept of the system's and the user's configuration, in git's own order.

    Read with the variables that say where the files lie, or add to them; but not from the
    repository that hookpm was started in.
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment |= {k: v for k, v in os.environ.items() if k.startswith("GIT_CONFIG")}
    arguments = ("config", "--list", "-z", "--show-scope")
    ran = _run(None, arguments, environment, b"", 4 * 1024 * 1024)
    fields = ran.out.decode("utf-8", "surrogateescape").split("\0")
    kept = []
    for scope, entry in zip(fields[::2], fields[1::2], strict=False):
        key, is_set, value = entry.partition("\n")
        if scope in ("system", "global", "command") and _KEPT_CONFIG.fullmatch(key):
            kept.append((key, value if is_set else "true"))
    return kept


def _environment(more: dict[str, str], protocols: str) -> dict[str, str]:
    """The variables for git. `protocols`: the only ones it may speak, whoever asks for others."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT_VARIABLES
    }
    return {
        **kept,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
        "LANGUAGE": "",
        **more,
    }


def _run(
    repo: Path | None,
    arguments: tuple[str, ...],
    environment: dict[str, str],
    stdin: bytes,
    out_limit: int,
    watch: Watch | None = None,
) -> Ran:
    """Run git to its end. Files, not pipes: what it writes can be measured while it writes."""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        process = _started(repo, arguments, environment, (given, out, err))
        _running.add(process)
        if _closing.is_set():
            _end(process)
        try:
            cut = _wait(process, out, out_limit, repo, watch)
        finally:
            _end(process)
            if watch is not None:
                watch(0, True)
        said = _content(err).decode(errors="replace")
        return Ran(process.returncode, _content(out), said, cut)


def _started(
    repo: Path | None,
    arguments: tuple[str, ...],
    environment: dict[str, str],
    streams: tuple[IO[bytes], IO[bytes], IO[bytes]],
) -> subprocess.Popen[bytes]:
    ours = [part for pair in _OURS.items() for part in ("-c", "=".join(pair))]
    where = [f"--git-dir={repo}"] if repo is not None else []
    try:
        return subprocess.Popen(
            ["git", *ours, *where, *arguments],
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            env=environment,
            cwd=repo or "/",
            start_new_session=True,  # no terminal to ask on, and one group to end
        )
    except FileNotFoundError:
        raise SystemFailureError(
            "git is not on PATH, and a pack is to come from a git repository",
            hint="install git, or install the pack from a folder",
        ) from None
    except OSError as error:
        raise SystemFailureError("git cannot be started", cause=str(error)) from None


def _wait(
    process: subprocess.Popen[bytes],
    out: IO[bytes],
    limit: int,
    repo: Path | None,
    watch: Watch | None,
) -> bool:
    """Wait for the end; returns whether the command wrote more than `limit`.

    Raises SystemFailureError where it takes too long, or fetches too much.
    """
    deadline = time.monotonic() + TIME_LIMIT
    before = _packed(repo)
    ended = False
    while not ended:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.2)
            ended = True
        come = _packed(repo) - before
        if watch is not None:
            watch(come, False)
        if come > TRANSFER_LIMIT:
            raise SystemFailureError(
                f"the repository brings more than {TRANSFER_LIMIT // (1024 * 1024)} MB",
                hint="keep packs in a repository of their own, or clone it and install the folder",
            )
        if os.fstat(out.fileno()).st_size > limit:
            return True
        if not ended and time.monotonic() > deadline:
            raise SystemFailureError(
                f"git took longer than {TIME_LIMIT:.0f} seconds, and was ended",
                hint="try again; a server that does not answer may be down",
            )
    return False


def _packed(repo: Path | None) -> int:
    """The bytes of all packed objects, the growing one included."""
    total = 0
    if repo is not None:
        with suppress(OSError), os.scandir(repo / "objects" / "pack") as entries:
            total = sum(entry.stat().st_size for entry in entries)
    return total


@atexit.register
def _end_all() -> None:
    """A thread that waits is not waited for; what it has started must not go on without it."""
    _closing.set()
    for process in list(_running):
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git and what it started, if it still runs."""
    _running.discard(process)
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()
