"""Packs written on the fly, and a registry to publish them to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

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
