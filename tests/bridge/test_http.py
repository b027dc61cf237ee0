"""Handlers of type http: what is sent, and what each kind of answer means."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.bridge.rig import Repo, pythons

DENY = {
    "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "the server says no",
    }
}
Answering = Callable[[BaseHTTPRequestHandler], None]


class Server(ThreadingHTTPServer):
    """Answers as `answering` says; keeps what was asked: (path, headers, body)."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answering: Answering = plain(b"")
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        self.over = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/judge"

    def handle_error(self, *_: object) -> None:
        """Who asked has gone."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, dict(self.headers.items()), body))
        self.server.answering(self)

    def log_message(self, *_: object) -> None:
        pass


def plain(body: bytes, status: int = 200, **headers: str) -> Answering:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def raw(*pieces: bytes, pause: float = 0.0) -> Answering:
    """These bytes and no others, with seconds between the pieces."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        for piece in pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
            if pause and handler.server.over.wait(pause):  # type: ignore[attr-defined]
                return

    return answer


def chunked(body: bytes) -> Answering:
    pieces = [body[at : at + 7] for at in range(0, len(body), 7)]
    coded = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return raw(head, coded, b"0\r\n\r\n")


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield made
    made.over.set()
    made.shutdown()
    thread.join()
    made.server_close()


def posting(repo: Repo, url: str, event: str = "PreToolUse", **handler: Any) -> Repo:
    group = {"hooks": [{"type": "http", "url": url, **handler}]}
    repo.hooks.setdefault(event, []).append(group)
    return repo.write()


@pytest.mark.parametrize("python", pythons())
@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_json_object_counts_as_a_commands_does(
    agent: str, python: str, repo: Repo, server: Server
) -> None:
    server.answering = plain(json.dumps(DENY).encode())
    heard = posting(repo, server.url).shell(agent, "ls -la", python=python)
    assert heard.refusal() == "the server says no", heard
    ((path, headers, body),) = server.asked
    assert path == "/judge"
    assert headers["Content-Type"] == "application/json"
    sent = json.loads(body)
    assert (sent["tool_name"], sent["tool_input"]) == ("Bash", {"command": "ls -la"})
    assert (sent["harness"], sent["tool_kind"]) == (agent, "shell")


@pytest.mark.parametrize("body", [b"", b" \n"])
@pytest.mark.parametrize("status", [200, 204])
def test_an_empty_answer_is_no_objection(
    status: int, body: bytes, repo: Repo, server: Server
) -> None:
    server.answering = plain(body if status == 200 else b"", status)
    heard = posting(repo, server.url).shell("claude")
    assert (heard.answer, heard.stderr) == ({}, "")
    assert len(server.asked) == 1


FAILURES = {
    "text": (plain(b"no, thanks"), "not one JSON object"),
    "a refusal inside text": (plain(b"So: " + json.dumps(DENY).encode()), "not one JSON object"),
    "a list": (plain(b"[]"), "not one JSON object"),
    "two objects": (plain(b"{}\n{}"), "not one JSON object"),
    "an error": (plain(json.dumps(DENY).encode(), 500), "HTTP status 500"),
    "not found": (plain(b"", 404), "HTTP status 404"),
    "a redirect": (
        plain(b"", 307, Location="/elsewhere"),
        "HTTP status 307, and redirects are not",
    ),
    "broken off": (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{}"), "broke off"),
    "broken off at once": (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n"), "broke off"),
    "half a chunk": (
        raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n90\r\n{}"),
        "got no answer",
    ),
    "no HTTP": (raw(b"hello\r\n\r\n"), "got no answer"),
    "nothing": (raw(), "got no answer"),
    "endless headers": (raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 500), "got no answer"),
    "huge": (plain(b" " * (5 << 20)), "more than 4 MB"),
    "huge in chunks": (
        raw(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            *[b"fffff\r\n" + b" " * 0xFFFFF + b"\r\n"] * 5,
        ),
        "more than 4 MB",
    ),
    "huge and open": (raw(b"HTTP/1.0 200 OK\r\n\r\n", *[b" " * (1 << 20)] * 5), "more than 4 MB"),
}


@pytest.mark.parametrize("case", FAILURES)
def test_all_else_is_a_failure_that_allows_with_a_note(
    case: str, repo: Repo, server: Server
) -> None:
    server.answering, note = FAILURES[case]
    heard = posting(repo, server.url).shell("codex")
    assert heard.refusal() == ""
    assert note in heard.stderr
    assert f"POST {server.url} failed and allows" in heard.stderr
    assert len(server.asked) == 1


def test_a_failure_blocks_where_the_hook_says_so(repo: Repo, server: Server) -> None:
    server.answering = plain(b"", 503)
    heard = posting(repo, server.url, onFailure="block").shell("codex")
    assert "HTTP status 503" in heard.refusal()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.parametrize("python", pythons())
@pytest.mark.parametrize(("on_failure", "refused"), [("continue", False), ("block", True)])
def test_nobody_at_home_is_a_failure(
    on_failure: str, refused: bool, python: str, repo: Repo
) -> None:
    url = f"http://127.0.0.1:{free_port()}/"
    heard = posting(repo, url, onFailure=on_failure).shell("codex", python=python)
    assert bool(heard.refusal()) is refused
    assert "Connection refused" in heard.stderr


@pytest.mark.parametrize("url", ["http://[::1", "http://h:port/", "http://no-such-host.invalid/"])
def test_an_address_that_is_none_is_a_failure(url: str, repo: Repo) -> None:
    heard = posting(repo, url).shell("codex")
    assert heard.refusal() == ""
    assert "got no answer" in heard.stderr


SLOW = {
    "silent": raw(b"", pause=30),
    "headers": raw(b"HTTP/1.1 200 OK\r\n", *[b"X: y\r\n"] * 60, pause=0.1),
    "one header": raw(b"HTTP/1.1 200 OK\r\nX: ", *[b"y"] * 60, pause=0.1),
    "body": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n", *[b" "] * 60, pause=0.1),
    "chunks": raw(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", *[b"1\r\n \r\n"] * 60, pause=0.1
    ),
}


@pytest.mark.parametrize("case", SLOW)
def test_the_time_limit_holds_however_the_answer_trickles_in(
    case: str, repo: Repo, server: Server
) -> None:
    server.answering = SLOW[case]
    posting(repo, server.url, timeout=0.5, onFailure="block")
    before = time.monotonic()
    heard = repo.shell("codex")
    assert "ran past its 0.5 seconds" in heard.refusal()
    assert time.monotonic() - before < 4


def test_requests_and_commands_run_side_by_side(repo: Repo, server: Server) -> None:
    server.answering = raw(b"", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", pause=0.8)
    repo.hook("sleep 0.8; echo first >&2; exit 2")
    for _ in range(3):
        posting(repo, server.url)
    repo.hook("echo last >&2; exit 2")
    before = time.monotonic()
    heard = repo.shell("codex")
    assert heard.refusal() == "first\nlast"
    assert len(server.asked) == 3
    assert time.monotonic() - before < 2.6


def test_reasons_stand_in_file_order(repo: Repo, server: Server) -> None:
    server.answering = plain(json.dumps(DENY).encode())
    repo.hook("sleep 0.3; echo one >&2; exit 2")
    posting(repo, server.url)
    repo.hook("echo three >&2; exit 2")
    assert repo.shell("codex").refusal() == "one\nthe server says no\nthree"


def test_more_requests_than_run_at_once_are_all_sent(repo: Repo, server: Server) -> None:
    server.answering = plain(b"{}")
    for _ in range(40):
        posting(repo, server.url)
    heard = repo.shell("codex")
    assert (heard.answer, heard.stderr) == ({}, "")
    assert len(server.asked) == 40


def test_headers_are_filled_from_the_variables_that_are_allowed(repo: Repo, server: Server) -> None:
    headers = {
        "Authorization": "Bearer $TOKEN",
        "X-Both": "${TOKEN}-$OTHER-${OTHER}!",
        "X-Unset": "[$UNSET]",
        "X-Small": "$token $5 $",
        "X-Lines": "$LINES_\r\nX-Evil: 1",
        "X-Text": "é",
        "content-type": "text/json",
        "Content-Length": "1",
        "Transfer-Encoding": "chunked",
    }
    posting(repo, server.url, headers=headers, allowedEnvVars=["TOKEN", "UNSET", "LINES_"])
    heard = repo.shell("claude", TOKEN="s3cret", OTHER="hidden", LINES_="a\nb")
    assert heard.stderr == ""
    ((_, sent, body),) = server.asked
    assert sent["Authorization"] == "Bearer s3cret"
    assert sent["X-Both"] == "s3cret--!"
    assert sent["X-Unset"] == "[]"
    assert sent["X-Small"] == "$token $5 $"
    assert sent["X-Lines"] == "abX-Evil: 1"
    assert sent["X-Text"].encode("latin-1").decode() == "é"
    assert "X-Evil" not in sent
    assert sent["content-type"] == "text/json"
    assert "Content-Type" not in sent
    assert "Transfer-Encoding" not in sent
    assert int(sent["Content-Length"]) == len(body)


def test_without_a_list_of_variables_none_is_filled(repo: Repo, server: Server) -> None:
    posting(repo, server.url, headers={"X-Key": "[$TOKEN]"}).shell("claude", TOKEN="s3cret")
    assert server.asked[0][1]["X-Key"] == "[]"


@pytest.mark.parametrize("python", pythons())
def test_an_answer_in_chunks_is_read_whole(python: str, repo: Repo, server: Server) -> None:
    server.answering = chunked(json.dumps(DENY).encode())
    heard = posting(repo, server.url).shell("codex", python=python)
    assert heard.refusal() == "the server says no"


def test_an_answer_that_is_not_utf_8_still_refuses(repo: Repo, server: Server) -> None:
    server.answering = plain(json.dumps(DENY).replace("no", "caf\xe9").encode("latin-1"))
    assert posting(repo, server.url).shell("codex").refusal() == "the server says caf\ufffd"


def test_a_byte_order_mark_does_no_harm(repo: Repo, server: Server) -> None:
    server.answering = plain(b"\xef\xbb\xbf" + json.dumps(DENY).encode())
    assert posting(repo, server.url).shell("claude").refusal() == "the server says no"


def test_a_path_and_query_arrive_as_they_are_written(repo: Repo, server: Server) -> None:
    posting(repo, server.url + "/é%20b?q=1&r=ü#part").shell("claude")
    assert server.asked[0][0] == "/judge/%C3%A9%20b?q=1&r=%C3%BC"


def test_context_of_a_prompt_comes_from_json_alone(repo: Repo, server: Server) -> None:
    said = {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "c"}}
    server.answering = plain(json.dumps(said).encode())
    posting(repo, server.url, "UserPromptSubmit")
    heard = repo.call("codex", "UserPromptSubmit", repo.payload("codex", "UserPromptSubmit"))
    assert heard.answer["hookSpecificOutput"]["additionalContext"] == "c"
    server.answering = plain(b"some words")
    heard = repo.call("codex", "UserPromptSubmit", repo.payload("codex", "UserPromptSubmit"))
    assert "hookSpecificOutput" not in heard.answer


def test_a_proxy_of_the_environment_is_used_but_for_this_machine_itself(
    repo: Repo, server: Server
) -> None:
    server.answering = plain(json.dumps(DENY).encode())
    proxy = f"http://us%40er:pass@127.0.0.1:{server.server_port}"
    posting(repo, "http://hooks.example.com/judge?q")
    assert repo.shell("claude", http_proxy=proxy).refusal() == "the server says no"
    path, headers, _ = server.asked[0]
    assert path == "http://hooks.example.com/judge?q"
    assert headers["Host"] == "hooks.example.com"
    assert headers["Proxy-Authorization"] == "Basic dXNAZXI6cGFzcw=="
    nowhere = f"http://127.0.0.1:{free_port()}"
    repo.hooks.clear()
    posting(repo, server.url)
    assert repo.shell("claude", HTTP_PROXY=nowhere, http_proxy=nowhere).refusal()


def test_no_proxy_is_heeded(repo: Repo, server: Server) -> None:
    proxy = f"http://127.0.0.1:{server.server_port}"
    posting(repo, "http://hooks.invalid/")
    heard = repo.shell("codex", http_proxy=proxy, no_proxy=".invalid")
    assert "got no answer" in heard.stderr
    assert server.asked == []


def test_a_proxy_is_asked_for_a_tunnel_to_an_https_address(repo: Repo, server: Server) -> None:
    """There is no TLS server here: what counts is that the proxy is asked, and how."""
    proxy = f"http://127.0.0.1:{server.server_port}"
    heard = posting(repo, "https://hooks.example.com/").shell("codex", HTTPS_PROXY=proxy)
    assert "501" in heard.stderr  # the test's server knows no CONNECT


def test_https_is_verified_and_trusts_what_the_environment_names(
    repo: Repo, server: Server, tmp_path: Path
) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not on PATH, so there is no certificate to show")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    make = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    files = ["-keyout", str(key), "-out", str(cert)]
    subprocess.run([openssl, *make, *subject, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.answering = plain(json.dumps(DENY).encode())
    posting(repo, f"https://localhost:{server.server_port}/")
    stranger = repo.shell("codex")
    assert stranger.refusal() == ""
    assert "certificate" in stranger.stderr.lower()
    assert repo.shell("codex", SSL_CERT_FILE=str(cert)).refusal() == "the server says no"
