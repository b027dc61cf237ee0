"""A web server on loopback for tests: static files with ETags, TLS, and every fault on demand."""

from __future__ import annotations

import hashlib
import socket
import ssl
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple


class Asked(NamedTuple):
    """A request as it came in; header names in lower case."""

    path: str
    headers: dict[str, str]
    status: int


class Handler(BaseHTTPRequestHandler):
    """Serves what the site says."""

    protocol_version = "HTTP/1.1"
    server: _Server
    timeout = 20
    noted = False

    def do_GET(self) -> None:
        site = self.server.site
        self.status = 0
        self.noted = False
        answer = site.find(self.path)
        try:
            if callable(answer):
                answer(self)
            else:
                self.static(answer)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True
        finally:
            self.note()

    do_POST = do_GET  # noqa: N815  (the name that the library asks for)

    def note(self) -> None:
        """Into the log, before the asker has the answer: he may look there at once."""
        if not self.noted:
            self.noted = True
            headers = {name.lower(): value for name, value in self.headers.items()}
            with self.server.site.lock:
                self.server.site.log.append(Asked(self.path, headers, self.status))

    def static(self, body: bytes | None) -> None:
        """A file with its ETag and date, or 404."""
        if body is None:
            self.reply(404, b"no such file")
            return
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if self.server.site.etags and self.headers.get("If-None-Match") == etag:
            self.reply(304, b"", ETag=etag)
        elif self.server.site.etags:
            self.reply(200, body, ETag=etag)
        else:
            self.reply(200, body)

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        """An ordinary answer; `_` in a header's name stands for `-`."""
        self.begin(status, Content_Length=str(len(body)), **headers)
        self.wfile.write(body)

    def begin(self, status: int, **headers: str) -> None:
        """The status line and the headers, and no more."""
        self.status = status
        self.note()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.flush()

    def cut(self) -> None:
        """End the connection in the ordinary way, wherever the answer is."""
        self.close_connection = True

    def reset(self) -> None:
        """End the connection with a reset."""
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()
        self.close_connection = True

    def pause(self, seconds: float) -> bool:
        """Wait, but not beyond the server's end; was it to its end?"""
        return not self.server.site.over.wait(seconds)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing: tests read `site.log`."""

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:  # the client went away, also in the middle of a handshake
            self.close_connection = True

    def finish(self) -> None:
        try:
            super().finish()
        except (OSError, ValueError):
            return


Answer = Callable[[Handler], None]


class Site:
    """What a server has: path -> bytes, or a function that answers. log: what was asked for.

    elsewhere: asked for what is not in `files`; url: where it is.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes | Answer] = {}
        self.elsewhere: Callable[[str], bytes | Answer | None] = lambda _: None
        self.log: list[Asked] = []
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.faults: list[BaseException] = []
        self.etags = True
        self.url = ""

    def find(self, path: str) -> bytes | Answer | None:
        found = self.files.get(path)
        return self.elsewhere(path) if found is None else found

    def paths(self) -> list[str]:
        """The paths that were asked for, in the order of the answers' ends."""
        return [asked.path for asked in self.log]

    def put_tree(self, folder: Path, at: str = "") -> None:
        """Serve every file of a folder."""
        for file in folder.rglob("*"):
            if file.is_file():
                self.files[f"{at}/{file.relative_to(folder).as_posix()}"] = file.read_bytes()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    site: Site
    tls: ssl.SSLContext | None = None

    def get_request(self) -> tuple[socket.socket, object]:
        connection, peer = super().get_request()
        if self.tls is not None:  # the handshake is the handler's, so that nobody waits for it
            connection = self.tls.wrap_socket(
                connection, server_side=True, do_handshake_on_connect=False
            )
        return connection, peer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no news; anything else is a fault of the test's."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, OSError):
            self.site.faults.append(error)


@contextmanager
def serving(tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> Iterator[Site]:
    """A site that is served until the end of the block, on a port of its own."""
    server = _Server((host, 0), Handler)
    server.tls = tls
    with _running(server, "http" if tls is None else "https", host) as site:
        yield site


@contextmanager
def proxying(refuse: int | None = None) -> Iterator[Site]:
    """A proxy for https (CONNECT) on loopback; its log holds the hosts that were asked for.

    refuse: the status it answers every request with.
    """
    site = Site()

    class Proxy(Handler):
        def do_CONNECT(self) -> None:
            self.status, self.noted = refuse or 200, False
            self.note()
            if refuse is not None:
                self.reply(refuse)
                return
            port = int(self.path.rpartition(":")[2])
            with socket.create_connection(("127.0.0.1", port), 10) as there:
                self.begin(200)
                _pump(self.connection, there, site.over)
            self.close_connection = True

    with _running(_Server(("127.0.0.1", 0), Proxy), "http", "127.0.0.1", site):
        yield site


@contextmanager
def _running(server: _Server, scheme: str, host: str, site: Site | None = None) -> Iterator[Site]:
    """The site of a server that runs until the end of the block. Raises what went wrong in it."""
    server.site = site = site or Site()
    site.url = f"{scheme}://{host}:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.over.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
    if site.faults:
        raise site.faults[0]


def _pump(one: socket.socket, other: socket.socket, over: threading.Event) -> None:
    """Bytes to and fro until one side ends."""
    import select

    while not over.is_set():
        ready, _, _ = select.select([one, other], [], [], 0.05)
        for source in ready:
            data = source.recv(65536)
            if not data:
                return
            (other if source is one else one).sendall(data)
