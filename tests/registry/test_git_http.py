"""Git over http and https, from a server on loopback that runs git's own backend."""

from __future__ import annotations

import base64
import os
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from hookpm.errors import HookpmError, NotFoundError, RefusedError, SystemFailureError
from hookpm.registry import git, gitrun
from tests.registry.gitrepo import Repo, make, own_home
from tests.registry.server import Answer, Handler, Site, serving


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    own_home(tmp_path, monkeypatch)
    made = make(tmp_path / "served" / "guard")
    made.git("tag", "v1")
    return made


@pytest.fixture
def site(repo: Repo) -> Iterator[Site]:
    with serving() as there:
        there.elsewhere = lambda path: backend(repo.folder.parent, path)
        yield there


def backend(root: Path, path: str) -> Answer:
    """Answers as git's http-backend does."""

    def answer(handler: Handler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        where, _, query = path.partition("?")
        done = subprocess.run(
            ["git", "http-backend"],
            input=body,
            capture_output=True,
            check=True,
            env={
                "PATH": os.environ["PATH"],
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_PROJECT_ROOT": str(root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": where,
                "QUERY_STRING": query,
                "REQUEST_METHOD": handler.command,
                "CONTENT_TYPE": handler.headers.get("Content-Type") or "",
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": handler.headers.get("Content-Encoding") or "",
                "GIT_PROTOCOL": handler.headers.get("Git-Protocol") or "",
            },
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        status = int(fields.pop("Status", "200").split()[0])
        handler.reply(status, content, **{k.replace("-", "_"): v for k, v in fields.items()})

    return answer


def status(code: int, **headers: str) -> Answer:
    """Answers everything with one status."""

    def answer(handler: Handler) -> None:
        handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        handler.reply(code, b"", **headers)

    return answer


def configure(repo: Repo, text: str) -> None:
    (repo.folder.parents[1] / "home" / ".gitconfig").write_text(text)


def test_a_repository_is_fetched_over_http(repo: Repo, site: Site) -> None:
    url = f"{site.url}/guard"
    found = git.fetch(url, git.find_ref(url, "v1"))
    assert found.commit == repo.git("rev-parse", "v1")
    assert sorted(found.files) == ["guard.py", "hookpack.toml"]
    asked = len(site.log)
    assert git.fetch(url, "tag:v1", commit=found.commit) == found
    assert len(site.log) == asked, "a commit in the cache asks nobody"


def test_a_server_that_gives_no_commit_by_name_gives_its_history(repo: Repo, site: Site) -> None:
    """Servers of the first protocol answer for the tips of refs only."""
    old = repo.git("rev-parse", "HEAD")
    repo.git("tag", "--delete", "v1")
    repo.commit({"guard.py": "new\n"})

    def first_protocol(path: str) -> Answer:
        def answer(handler: Handler) -> None:
            del handler.headers["Git-Protocol"]
            backend(repo.folder.parent, path)(handler)

        return answer

    site.elsewhere = first_protocol
    assert git.fetch(f"{site.url}/guard", "branch:main", commit=old).commit == old


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (401, SystemFailureError, "is private, or not there"),
        (403, SystemFailureError, "is private, or not there"),
        (404, NotFoundError, "no git repository at"),
        (500, SystemFailureError, "does not answer as it should"),
        (503, SystemFailureError, "does not answer as it should"),
    ],
)
def test_what_a_server_refuses_is_put_in_words(
    repo: Repo, site: Site, code: int, kind: type[HookpmError], words: str
) -> None:
    site.elsewhere = lambda _: status(code, WWW_Authenticate='Basic realm="x"')
    with pytest.raises(kind, match=words) as caught:
        git.fetch(f"{site.url}/guard", "tag:v1")
    assert caught.value.hint


def test_a_private_repository_opens_for_the_users_credential_helper(repo: Repo, site: Site) -> None:
    wanted = "Basic " + base64.b64encode(b"me:s3cret").decode()

    def private(path: str) -> Answer:
        def answer(handler: Handler) -> None:
            if handler.headers.get("Authorization") == wanted:
                backend(repo.folder.parent, path)(handler)
            else:
                status(401, WWW_Authenticate='Basic realm="x"')(handler)

        return answer

    site.elsewhere = private
    url = f"{site.url}/guard"
    with pytest.raises(SystemFailureError, match="is private"):
        git.fetch(url, "tag:v1")
    configure(
        repo, '[credential]\n\thelper = "!f() { echo username=me; echo password=s3cret; }; f"\n'
    )
    assert git.fetch(url, "tag:v1").files


def test_the_users_extra_headers_are_sent(repo: Repo, site: Site) -> None:
    configure(repo, f'[http "{site.url}/"]\n\textraHeader = "X-Token: s3cret"\n')
    git.fetch(f"{site.url}/guard", "tag:v1")
    assert all(asked.headers.get("x-token") == "s3cret" for asked in site.log)


@pytest.mark.parametrize("target", ["http://127.0.0.2:9/guard", "ext::sh -c x", "file:///etc"])
def test_plain_http_follows_no_redirect(repo: Repo, site: Site, target: str) -> None:
    site.elsewhere = lambda path: status(302, Location=target + path)
    with pytest.raises(HookpmError):
        git.fetch(f"{site.url}/guard", "tag:v1")


def test_files_on_a_plain_web_server_are_not_enough(repo: Repo, site: Site) -> None:
    repo.git("update-server-info")
    site.elsewhere = lambda _: None
    site.put_tree(repo.folder / ".git", "/guard")
    heads = {f"{path}?service=git-upload-pack": body for path, body in site.files.items()}
    site.files.update(heads)
    with pytest.raises(SystemFailureError, match="served as plain files"):
        git.fetch(f"{site.url}/guard", "tag:v1")


def test_an_answer_that_is_cut_off_is_no_answer(repo: Repo, site: Site) -> None:
    repo.commit({"noise": os.urandom(300_000)}, tag="v2")

    def cut(path: str) -> Answer:
        def answer(handler: Handler) -> None:
            if handler.command == "GET":
                backend(repo.folder.parent, path)(handler)
                return
            handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
            kind = "application/x-git-upload-pack-result"
            handler.begin(200, Content_Type=kind, Content_Length="100000")
            handler.wfile.write(b"0008NAK\n")
            handler.reset()

        return answer

    site.elsewhere = cut
    with pytest.raises(SystemFailureError, match="does not answer as it should"):
        git.fetch(f"{site.url}/guard", "tag:v2")


def test_nobody_at_the_address_is_put_in_words(repo: Repo, site: Site) -> None:
    with serving() as gone:
        url = gone.url
    with pytest.raises(SystemFailureError, match="does not answer"):
        git.fetch(f"{url}/guard", "head")


def test_a_server_that_never_answers_is_given_up(
    repo: Repo, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.elsewhere = lambda _: lambda handler: (handler.pause(60), None)[1]
    monkeypatch.setattr(gitrun, "TIME_LIMIT", 0.5)
    with pytest.raises(SystemFailureError, match="took longer"):
        git.fetch(f"{site.url}/guard", "head")


# --- https -----------------------------------------------------------------------------------


@pytest.fixture
def secure(repo: Repo, authority: trustme.CA) -> Iterator[Site]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    with serving(context, "localhost") as there:
        there.elsewhere = lambda path: backend(repo.folder.parent, path)
        yield there


@pytest.fixture
def bundle(repo: Repo, authority: trustme.CA) -> Path:
    file = repo.folder.parents[1] / "ca.pem"
    authority.cert_pem.write_to_path(str(file))
    return file


def test_an_authority_of_ones_own_is_trusted_where_git_was_told(
    repo: Repo, secure: Site, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"{secure.url}/guard"
    with pytest.raises(SystemFailureError, match="cannot be trusted") as caught:
        git.fetch(url, "tag:v1")
    assert "sslCAInfo" in (caught.value.hint or "")
    configure(repo, f"[http]\n\tsslCAInfo = {bundle}\n")
    assert git.fetch(url, "tag:v1").files
    configure(repo, "")
    monkeypatch.setenv("GIT_SSL_CAINFO", str(bundle))
    assert git.find_ref(url, "main") == "branch:main"


@pytest.mark.parametrize("how", ["all", "host", "variable"])
def test_nobody_can_switch_off_the_check_of_certificates(
    repo: Repo, secure: Site, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    if how == "variable":
        monkeypatch.setenv("GIT_SSL_NO_VERIFY", "1")
    else:
        section = "[http]" if how == "all" else f'[http "{secure.url}"]'
        configure(repo, f"{section}\n\tsslVerify = false\n")
    with pytest.raises(SystemFailureError, match="cannot be trusted"):
        git.fetch(f"{secure.url}/guard", "tag:v1")


def test_a_renamed_repository_on_the_same_host_is_found(
    repo: Repo, secure: Site, bundle: Path
) -> None:
    configure(repo, f"[http]\n\tsslCAInfo = {bundle}\n")
    old = "/old/guard/info/refs?service=git-upload-pack"
    secure.files[old] = status(
        301, Location=f"{secure.url}/guard/info/refs?service=git-upload-pack"
    )
    assert git.fetch(f"{secure.url}/old/guard", "tag:v1").files


def test_https_is_never_led_back_to_http(
    repo: Repo, secure: Site, site: Site, bundle: Path
) -> None:
    configure(repo, f"[http]\n\tsslCAInfo = {bundle}\n\tfollowRedirects = true\n")
    secure.elsewhere = lambda path: status(302, Location=f"{site.url}{path}")
    with pytest.raises((RefusedError, SystemFailureError)):
        git.fetch(f"{secure.url}/guard", "tag:v1")
    assert site.log == []
