"""A small pack that is right; tests change one thing in it."""

from __future__ import annotations

from pathlib import Path

import pytest

MANIFEST = """\
[pack]
name = "guard"
version = "1.0.0"
description = "Keeps agents out"
license = "MIT"
requires-hookpm = ">=0.1"

[requires]
programs = ["git"]

[dependencies]
patterns = ">=1,<2"

[options.extra]
type = "list[str]"
default = []
help = "more paths"

[options.level]
type = "str"
default = "high"
choices = ["low", "high"]

[[hooks]]
id = "guard-files"
event = "PreToolUse"
matcher = "Read|Edit"
run = "guard.py"
timeout = 10
needs = ["deny"]
uses = ["ask"]
fallback = { ask = "deny" }
on_failure = "block"

[[hooks]]
id = "tell"
event = "SessionStart"
command = "echo hello"
uses = ["additionalContext"]
"""


@pytest.fixture
def manifest_text() -> str:
    return MANIFEST


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "guard"
    (folder / "cases").mkdir(parents=True)
    (folder / "hookpack.toml").write_text(MANIFEST)
    (folder / "guard.py").write_text("print('{}')\n")
    (folder / "cases" / "a.toml").write_text(
        '[[case]]\nname = "stops"\nevent = "PreToolUse"\ntool = "Edit"\n'
        'input = { file_path = ".env" }\nexpect = "deny"\nreason = "secret"\n'
    )
    return folder
