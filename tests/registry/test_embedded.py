from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from hookpm.packs import archive
from hookpm.registry import embedded, publish

ROOT = Path(__file__).parents[2]


def test_a_checkout_uses_the_index_that_lies_beside_the_package() -> None:
    registry = embedded.registry()
    assert registry.source == "embedded"
    assert registry.root == ROOT / "registry-index"


def test_the_embedded_index_is_exactly_what_packs_holds() -> None:
    packs = sorted(p.parent for p in (ROOT / "packs").glob("*/hookpack.toml"))
    assert publish.plan(packs, ROOT / "registry-index").files == {}
    assert publish.problems(ROOT / "registry-index") == []
    registry = embedded.registry()
    for name in registry.names():
        page = registry.pack(name)
        assert page is not None
        for release in page.versions:
            data = registry.archive(name, release)
            assert archive.unpack(data, release.archive).manifest.version == release.version


def test_importing_costs_no_library_that_a_small_command_does_not_need() -> None:
    code = (
        "import sys, hookpm.packs.manifest, hookpm.registry.embedded, hookpm.resolve.lock,"
        "hookpm.resolve.resolver, hookpm.packs.archive\n"
        "print(*{'tomlkit', 'resolvelib', 'tarfile', 'requests', 'difflib'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []
