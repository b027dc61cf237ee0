"""Pages of a registry that lie, or that nobody could have published."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from hookpm.errors import FileFormatError
from hookpm.registry.index import Release, decode_page

DEEP = b'{"format": 1, "more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
LONG = "1." + "9" * 5000


def release(version: str = "1.0.0", **more: Any) -> Release:
    fields: dict[str, Any] = {
        "version": version,
        "archive": f"archives/guard-{version[:20]}.tar.gz",
        "sha256": "0" * 64,
        "size": 1,
        "description": "",
        "requires_hookpm": "",
        "dependencies": {},
        "hooks": (),
        **more,
    }
    return Release(**fields)


def page(*releases: Release) -> bytes:
    return msgspec.json.encode({"format": 1, "name": "guard", "versions": releases})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (DEEP, "not a registry file"),
        (page(release(LONG)), "is not a version"),
        (page(release(requires_hookpm=f">={LONG}")), "at most 100 characters"),
        (page(release(dependencies={"base": f"=={LONG}"})), "at most 100 characters"),
        (page(release(), release(sha256="1" * 64)), "it lists guard 1.0.0 twice"),
    ],
)
def test_a_page_that_cannot_be_is_refused_by_name(data: bytes, said: str) -> None:
    with pytest.raises(FileFormatError, match=said) as caught:
        decode_page(data, "guard", "https://hooks.example.com/packs/guard.json")
    assert caught.value.file == "https://hooks.example.com/packs/guard.json"


def test_a_reason_has_no_line_of_its_own() -> None:
    told = release(yanked=True, yanked_reason="bad\nerror: all is lost\r\n")
    assert told.withdrawn == "withdrawn: bad error: all is lost"
