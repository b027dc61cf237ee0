"""What the command line costs, as a ratio to starting the same Python with nothing to do.

`python -m pytest tests/bench -s` prints the figures. Each round runs all of them in turn.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROUNDS = 12


def test_what_the_command_line_costs(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("HOOKPM_")},
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
    }
    start = "import sys; from hookpm.__main__ import main; sys.exit(main())"
    hookpm = [sys.executable, "-c", start]
    install = [*hookpm, "install", "protect-secrets", "--agent", "claude", "--yes"]
    repo = tmp_path / "repo"

    def fresh() -> None:
        shutil.rmtree(repo, ignore_errors=True)
        (repo / ".git").mkdir(parents=True)

    races: dict[str, tuple[list[str], Callable[[], None] | None]] = {
        "python3 -c pass": ([sys.executable, "-c", "pass"], fresh),
        "hookpm --help": ([*hookpm, "--help"], None),
        "hookpm install, first": (install, None),
        "hookpm install, again": (install, None),
        "hookpm list": ([*hookpm, "list"], None),
    }
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, (command, before) in races.items():
            if before is not None:
                before()
            began = time.perf_counter()
            done = subprocess.run(command, cwd=repo, env=environment, capture_output=True)
            took = time.perf_counter() - began
            assert done.returncode == 0, done.stderr.decode()
            best[name] = min(took, best.get(name, took))
    bare = best["python3 -c pass"]
    print("\nthe command line, best of", ROUNDS)
    for name, seconds in best.items():
        print(f"  {name:24} {seconds * 1000:7.1f} ms   {seconds / bare:5.2f} x")
