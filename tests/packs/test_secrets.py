"""A pack is published and copied into repos: what looks like a secret is refused, by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookpm.errors import FileFormatError
from hookpm.packs import content

KEY = b"-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----\n"
CERTIFICATE = b"-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n"


@pytest.mark.parametrize(
    ("path", "data"),
    [
        (".env", b"A=1"),
        (".ENV", b"A=1"),
        (".env.local", b"A=1"),
        ("cases/.env.production", b"A=1"),
        ("id_rsa", b"x"),
        ("cases/id_ed25519", b"x"),
        ("server.pem", KEY),
        ("server.key", KEY),
        (".netrc", b"x"),
        ("store.p12", b"x"),
    ],
)
def test_a_file_that_looks_like_a_secret_is_refused(pack: Path, path: str, data: bytes) -> None:
    (pack / path).write_bytes(data)
    with pytest.raises(FileFormatError) as caught:
        content.read(pack)
    assert caught.value.message == (
        f"{path} cannot be in a pack: it looks like a secret; leave it out"
    )
    assert caught.value.hint


@pytest.mark.parametrize(
    ("path", "data"),
    [
        (".env.example", b"A="),
        ("env.py", b"x"),
        ("id_rsa.pub", b"x"),
        ("ca.pem", CERTIFICATE),
        ("translations.key", b"x"),
    ],
)
def test_a_file_that_everybody_may_see_is_packed(pack: Path, path: str, data: bytes) -> None:
    (pack / path).write_bytes(data)
    assert path in content.read(pack).files


def test_node_modules_are_left_out(pack: Path) -> None:
    before = content.read(pack)
    for path in ("node_modules/a/index.js", "cases/node_modules/.env"):
        (pack / path).parent.mkdir(parents=True)
        (pack / path).write_bytes(b"x")
    assert content.read(pack) == before
