"""Benchmarks run only where they are asked for: `pytest tests/bench -s`."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    named = any("bench" in Path(argument.split("::")[0]).parts for argument in config.args)
    return None if named or "bench" not in collection_path.parts else True
