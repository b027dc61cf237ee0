"""The fake model: a server on loopback that plays a script and keeps every request."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from hookpm.probe.script import SUBAGENT_TASK
from hookpm.probe.wire import Answer, Body, NativeTurn, Wire, as_json

SCRIPT_IS_OVER = NativeTurn("The script is over.")
SUBAGENT_ANSWER = NativeTurn("The smaller part is done.")
SUMMARY = NativeTurn("<summary>The task was begun.</summary>")


class Request(NamedTuple):
    """One POST of the agent. turn: index into the script; None for a side request."""

    path: str
    body: Body
    turn: int | None


class FakeModel:
    """Serves the turns in order, then SCRIPT_IS_OVER for ever; a context manager.

    summary: a text of the agent's request for a summary of the conversation, which then takes no
        turn; "" = none is expected. task: the text that tells the agent's own requests from those
        of its subagents, which take no turn either; "" = it has none.
    requests: what came in so far, in order of arrival.
    url: where it listens, without a slash at the end.
    """

    def __init__(
        self, wire: Wire, turns: Sequence[NativeTurn], summary: str = "", task: str = ""
    ) -> None:
        self.requests: list[Request] = []
        self._wire = wire
        self._turns = turns
        self._summary = summary
        self._task = task
        self._taken = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.model = self
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> FakeModel:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, body: Body) -> Answer:
        """Record one request and give what the script says to it."""
        special = self._special(body)
        if special is not None:
            with self._lock:
                self.requests.append(Request(path, body, None))
            return self._wire.speak(path, body, special, 0)
        if not self._wire.continues(path, body):
            with self._lock:
                self.requests.append(Request(path, body, None))
            return self._wire.aside(path, body)
        with self._lock:  # agents may ask from several threads: a turn is handed out once
            number = self._taken
            self._taken += 1
            self.requests.append(Request(path, body, number))
        turn = self._turns[number] if number < len(self._turns) else SCRIPT_IS_OVER
        return self._wire.speak(path, body, turn, number)

    def _special(self, body: Body) -> NativeTurn | None:
        """What a request for a summary, or one of a subagent, is answered with; else None."""
        if self._summary and self._summary in last_message(body):
            return SUMMARY
        if self._task and _holds(body, SUBAGENT_TASK) and not _holds(body, self._task):
            return SUBAGENT_ANSWER
        return None


def _holds(body: Body, text: str) -> bool:
    return json.dumps(text, ensure_ascii=False)[1:-1] in json.dumps(body, ensure_ascii=False)


def last_message(body: Body) -> str:
    """The newest message of a request, as text; "" where there is none."""
    for key in ("messages", "input", "contents"):
        found = body.get(key)
        if isinstance(found, list) and found:
            return json.dumps(found[-1], ensure_ascii=False)
    return ""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64  # five, the default, refuse an agent that opens many connections
    model: FakeModel


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # agents keep their connections open
    server: _Server

    def do_HEAD(self) -> None:
        """Agents ask whether anybody is there."""
        self._send(Answer(b""))

    def do_GET(self) -> None:
        """The only thing agents fetch is the list of models, which may be empty."""
        self._send(as_json({"object": "list", "data": [], "models": []}))

    def do_POST(self) -> None:
        """A question to the model."""
        path = self.path.partition("?")[0]
        try:
            body = json.loads(self._body() or b"{}")
            if not isinstance(body, dict):
                raise ValueError("not an object")
        except ValueError as error:
            self._send(as_json({"error": {"message": f"malformed request: {error}"}}, status=400))
        else:
            self._send(self.server.model.answer(path, body))

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        chunks = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():  # trailers, up to the empty line
            pass
        return b"".join(chunks)

    def _send(self, answer: Answer) -> None:
        try:
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(answer.data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.data)
        except ConnectionError:  # the agent gave up, or was ended
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: `requests` holds it all."""
