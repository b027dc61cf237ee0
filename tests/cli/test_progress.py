"""A bar on a terminal while a download takes its time; nowhere else, and gone afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial

import pytest

from hookpm.registry import publish
from tests.cli.test_terminal import converse
from tests.project.world import CHECKOUT, World
from tests.registry.server import Handler, Site, serving


@pytest.fixture
def slow(world: World) -> Iterator[Site]:
    """A registry whose archives come in pieces, over about a second."""
    folder = world.base / "slow"
    packs = [world.pack("rules", more='[dependencies]\nbase = ""\n'), world.pack("base")]
    publish.apply(publish.plan(packs, folder), folder)
    with serving() as site:
        site.put_tree(folder)
        for path, body in list(site.files.items()):
            if path.startswith("/archives/"):
                assert isinstance(body, bytes)
                site.files[path] = partial(in_pieces, body)
        world.write(
            ".agents/hookpm.toml", f'agents = ["claude"]\n[registries]\nacme = "{site.url}"\n'
        )
        yield site


def in_pieces(body: bytes, to: Handler) -> None:
    to.begin(200, Content_Length=str(len(body)))
    step = len(body) // 10 + 1
    for at in range(0, len(body), step):
        to.wfile.write(body[at : at + step])
        to.wfile.flush()
        to.pause(0.1)


def test_a_terminal_sees_a_bar(world: World, slow: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    code, shown = converse(world, ["install", "rules", "--yes"], b"")
    assert code == 0, shown
    assert "downloading, 2 at a time" in shown


@pytest.mark.parametrize("more", [["--quiet"], ["--json"]])
def test_who_wants_less_or_json_sees_none(
    world: World, slow: Site, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    code, shown = converse(world, ["install", "rules", "--yes", *more], b"")
    assert code == 0, shown
    assert "downloading" not in shown


def imports(world: World, *arguments: str) -> dict[str, bool]:
    """Run hookpm in a process, with no terminal: which of these libraries it came to import."""
    script = (
        "import sys; from hookpm.cli import main; code = main.run(sys.argv[1:]); "
        "print(*[n for n in ('requests', 'rich') if n in sys.modules], file=sys.stderr); "
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=world.repo,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    last = done.stderr.splitlines()[-1].split()
    return {name: name in last for name in ("requests", "rich")}


def test_ctrl_c_ends_a_run_that_waits_for_a_server_and_leaves_the_repo_as_it_was(
    world: World, slow: Site
) -> None:
    begun = threading.Event()

    def silent(to: Handler) -> None:
        begun.set()
        to.pause(60)

    for path in list(slow.files):
        if path.startswith("/archives/"):
            slow.files[path] = silent
    before = world.tree()
    process = subprocess.Popen(
        [sys.executable, "-m", "hookpm", "install", "rules"],
        cwd=world.repo,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert begun.wait(60)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=25)  # the server would be silent for longer
    finally:
        process.kill()
    assert process.returncode == 130
    assert "nothing is half-written" in said
    assert world.tree() == before


def test_without_a_terminal_nothing_is_drawn(world: World, slow: Site) -> None:
    assert imports(world, "install", "rules") == {"requests": True, "rich": False}


def test_an_install_without_a_network_loads_nothing_for_one(world: World) -> None:
    found = imports(world, "install", "protect-secrets", "--agent=claude")
    assert found == {"requests": False, "rich": False}
