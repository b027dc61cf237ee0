"""Packs written on the fly, a registry to publish them to, and a server with TLS."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme

from tests.registry.server import Site, serving

MakePack = Callable[..., Path]


@pytest.fixture
def make_pack(tmp_path: Path) -> MakePack:
    def make(name: str, version: str, body: str = "pass\n", more: str = "") -> Path:
        folder = tmp_path / "packs" / f"{name}-{version}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "hookpack.toml").write_text(
            f'[pack]\nname = "{name}"\nversion = "{version}"\ndescription = "About {name} ü"\n'
            f'requires-hookpm = ">=0.1"\n{more}'
            f'[[hooks]]\nid = "h"\nevent = "PreToolUse"\nmatcher = "Edit"\nrun = "h.py"\n'
            f'needs = ["deny"]\n'
        )
        (folder / "h.py").write_text(body)
        return folder

    return make


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    """A certificate authority that nobody else knows."""
    return trustme.CA()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, and no variable that has to do with networks."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in list(os.environ):
        if name.lower().startswith(("hookpm", "xdg")) or name.lower().endswith(_NETWORK):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    return folder


_NETWORK = ("_proxy", "_ca_bundle", "ssl_cert_file", "ssl_cert_dir", "netrc")


@pytest.fixture
def site(home: Path, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server with TLS whose authority is trusted, by the variable that users set."""
    bundle = home / "authority.pem"
    authority.cert_pem.write_to_path(bundle)
    monkeypatch.setenv("SSL_CERT_FILE", str(bundle))
    with serving(tls_of(authority)) as running:
        yield running


def tls_of(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    """The server side of TLS, with a certificate for these names (127.0.0.1 if there are none)."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*(names or ("127.0.0.1", "localhost"))).configure_cert(context)
    return context
