"""Hooks of type http: POST the input to a URL, within the hook's time limit.

Vendored; imported only where such a hook matches, for what it is built on is slow to import.
Observed in Claude Code 2.1.332: the body is the input of command hooks; an empty answer is no
objection, a JSON object counts as a command's does, and all else is a failure, redirects too.
Proxies are taken from the environment, as curl and Claude Code do; for this machine itself never.
"""

from hookpm.contract.jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping, Sequence
    from http.client import HTTPConnection
    from threading import Thread
    from urllib.parse import SplitResult

    from hookpm.bridge.job import Job
    from hookpm.contract.hooksfile import Hook

MOST_OUTPUT = 4 << 20  # bytes of an answer; what sends more has failed
MOST_AT_ONCE = 32
_PIECE = 1 << 16
_AS_IT_IS = "!#$%&'()*+,/:;=?@[]~"  # of a path and query; all else is percent-encoded
_BY_THE_BODY = ("content-length", "transfer-encoding")  # not the hook's to say; ignored
_LOOPBACK = ("localhost", "::1")


class Request:
    """What is sent, but for the body. headers: pairs, filled."""

    __slots__ = ("headers", "url")

    def __init__(self, url: str, headers: "list[tuple[str, bytes]]") -> None:
        self.url = url
        self.headers = headers


class _Exchange:
    """One request under way. deadline: by the monotonic clock.

    body or error: what came of it. The thread writes here and not into the job, which may have
    been given up by then.
    """

    def __init__(self, job: "Job") -> None:
        self.job = job
        self.thread: "Thread | None" = None
        self.deadline = 0.0
        self.body = b""
        self.error = "it got no answer"


def request(hook: "Hook") -> Request:
    """The request of a hook, its headers filled from the environment."""
    import os

    headers = {"content-type": ("Content-Type", b"application/json")}
    for name, value in hook.headers.items():
        if name.lower() not in _BY_THE_BODY:
            headers[name.lower()] = (name, filled(value, hook.allowed, os.environ))
    return Request(hook.url, list(headers.values()))


def filled(value: str, allowed: "Sequence[str]", environment: "Mapping[str, str]") -> bytes:
    """A header's value with $NAME and ${NAME} replaced: by "" where NAME is not allowed or not set.

    Only capitals, digits and _ make a name, as in Claude Code. Line breaks and NULs go.
    """
    import re

    def of(found: "re.Match[str]") -> str:
        name = found.group(1) or found.group(2)
        return environment.get(name, "") if name in allowed else ""

    text = re.sub(r"\$\{([A-Z_][A-Z0-9_]*)\}|\$([A-Z_][A-Z0-9_]*)", of, value)
    return text.encode("utf-8", "replace").translate(None, b"\r\n\0").strip()


def start(jobs: "Sequence[Job]") -> "Callable[[], None]":
    """Send the jobs' requests, side by side and beside whatever else runs.

    Returns what waits for the last of them, each for its own time limit and no longer. A job's
    stdout is then the answer, or its `error` or `late` says that there is none.
    """
    import threading

    for job in jobs:
        job.error = "it was not asked"
    conductor = threading.Thread(target=_send_all, args=(jobs,), daemon=True)
    conductor.start()
    return conductor.join


def _send_all(jobs: "Sequence[Job]") -> None:
    for at in range(0, len(jobs), MOST_AT_ONCE):
        batch = [_Exchange(job) for job in jobs[at : at + MOST_AT_ONCE]]
        for exchange in batch:
            _start(exchange)
        for exchange in batch:
            _settle(exchange)


def _start(exchange: _Exchange) -> None:
    import threading
    import time

    exchange.deadline = time.monotonic() + exchange.job.timeout
    thread = threading.Thread(target=_send, args=(exchange,), daemon=True)
    try:
        thread.start()
        exchange.thread = thread
    except RuntimeError as error:  # no more threads
        exchange.error = str(error)


def _settle(exchange: _Exchange) -> None:
    """Wait for the answer until the time is up, however it trickles in; then it is given up."""
    import time

    job = exchange.job
    if exchange.thread is not None:
        exchange.thread.join(max(0.0, exchange.deadline - time.monotonic()))
        job.late = exchange.thread.is_alive()
    job.error = "" if job.late else exchange.error
    if not job.error and not job.late:
        job.stdout += exchange.body


def _send(exchange: _Exchange) -> None:
    import time

    try:
        exchange.body, exchange.error = _answer(exchange)
    except Exception as error:  # whatever goes wrong in a library, the hook has failed
        if time.monotonic() >= exchange.deadline:
            exchange.error = "ran past its %g seconds" % exchange.job.timeout
        else:
            said = getattr(error, "strerror", None) or str(error) or type(error).__name__
            exchange.error = "it got no answer: " + said


def _answer(exchange: _Exchange) -> "tuple[bytes, str]":
    """The answer's body, and "" or why it does not count. Raises what the connection raises."""
    asked = exchange.job.request
    assert asked is not None
    connection, target, more = _connect(asked.url, exchange.job.timeout)
    try:
        given = {name.lower() for name, _ in asked.headers}
        connection.putrequest("POST", target, skip_host="host" in given)
        for name, value in [*asked.headers, *more]:
            connection.putheader(name, value)
        body = bytes(exchange.job.input)
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        if not 200 <= response.status < 300:
            return b"", _refused(response.status)
        said = bytearray()
        while len(said) <= MOST_OUTPUT:
            piece = response.read(_PIECE)
            if not piece:
                break
            said += piece
        if len(said) > MOST_OUTPUT:
            return b"", "it answered more than %d MB" % (MOST_OUTPUT >> 20)
        if response.length:
            return b"", "its answer broke off"
        return _body(bytes(said))
    finally:
        connection.close()


def _refused(status: int) -> str:
    redirect = ", and redirects are not followed" if 300 <= status < 400 else ""
    return "it answered HTTP status %d%s" % (status, redirect)


def _body(said: bytes) -> "tuple[bytes, str]":
    text = said.decode("utf-8", "replace").lstrip("\ufeff").strip()
    if not text:
        return b"", ""
    try:
        if isinstance(loads(text), dict):
            return said, ""
    except JsonError:
        pass
    return b"", "what it answered is not one JSON object"


def _connect(url: str, timeout: float) -> "tuple[HTTPConnection, str, list[tuple[str, bytes]]]":
    """A connection that is not open yet, what to ask it for, and headers for a proxy."""
    from http.client import HTTPConnection
    from urllib.parse import quote, urlsplit

    parts = urlsplit(url)
    host = parts.hostname or ""
    target = quote(parts.path or "/", safe=_AS_IT_IS)
    if parts.query:
        target += "?" + quote(parts.query, safe=_AS_IT_IS)
    proxy = _proxy(parts)
    kind: "type[HTTPConnection]" = HTTPConnection
    if parts.scheme == "https":  # a Python without ssl has none
        from http.client import HTTPSConnection

        kind = HTTPSConnection
    if proxy is None:
        return kind(host, parts.port, timeout=timeout), target, []
    if proxy.scheme != "http":
        raise ValueError("a proxy of the kind " + proxy.scheme + " is not known")
    consent = _proxy_consent(proxy)
    connection = kind(proxy.hostname or "", proxy.port or 80, timeout=timeout)
    if parts.scheme == "https":
        named = {name: value.decode("ascii") for name, value in consent}
        connection.set_tunnel(host, parts.port or 443, headers=named)
        return connection, target, []
    return connection, "http://" + parts.netloc + target, consent


def _proxy(parts: "SplitResult") -> "SplitResult | None":
    """The proxy that the environment names for this address."""
    host = parts.hostname or ""
    if host in _LOOPBACK or host.startswith("127."):
        return None
    import os

    if not any(name.lower().endswith("_proxy") for name in os.environ):
        return None
    from urllib.parse import urlsplit
    from urllib.request import getproxies_environment, proxy_bypass_environment  # type: ignore[attr-defined]

    proxies: "dict[str, str]" = getproxies_environment()
    found = proxies.get(parts.scheme) or proxies.get("all")
    if not found or proxy_bypass_environment(parts.netloc.rpartition("@")[2], proxies):
        return None
    return urlsplit(found if "://" in found else "http://" + found)


def _proxy_consent(proxy: "SplitResult") -> "list[tuple[str, bytes]]":
    if proxy.username is None:
        return []
    from base64 import b64encode
    from urllib.parse import unquote

    words = unquote(proxy.username) + ":" + unquote(proxy.password or "")
    return [("Proxy-Authorization", b"Basic " + b64encode(words.encode("utf-8")))]
