"""Sets up what the tests need in `.venv` and runs them. Needs Python 3.10+.

python3 tests/run.py                 all tests that need no agent
python3 tests/run.py live            the tests on real agents, from npm at pinned versions
python3 tests/run.py bench           the benchmarks: ratios to a baseline of the same minute
python3 tests/run.py lint            ruff, mypy, vermin
python3 tests/run.py PYTEST-ARGUMENT...
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
PYTHON = CHECKOUT / ".venv" / "bin" / "python"

PYTEST = [str(PYTHON), "-m", "pytest"]
VENDORED = ["hookpm/bridge", "hookpm/contract", "packs"]
LINT = (
    [str(PYTHON), "-m", "ruff", "check", "."],
    [str(PYTHON), "-m", "ruff", "format", "--check", "."],
    [str(PYTHON), "-m", "mypy"],
    [str(PYTHON), "-m", "hookpm.audit.table", "--check"],
    [str(PYTHON), "-m", "hookpm.registry.publish", "--to", "registry-index", "--check"],
)


def main(arguments: list[str]) -> int:
    """Run what the first argument says; returns the exit code."""
    what = arguments[0] if arguments else ""
    set_up("test,lint" if what == "lint" else "test")
    if what == "lint":
        packs = sorted(str(p.parent) for p in (CHECKOUT / "packs").glob("*/hookpack.toml"))
        python_38 = [
            str(p.relative_to(CHECKOUT))
            for folder in VENDORED
            for p in sorted((CHECKOUT / folder).rglob("*.py"))
        ]
        python_38 += [
            str(p.relative_to(CHECKOUT)) for p in CHECKOUT.glob("hookpm/agents/*/translate.py")
        ]
        vermin = [str(PYTHON.parent / "vermin"), "-q", "--no-tips", "-t=3.8-", "--violations"]
        commands = [*LINT[:-1], [*LINT[-1], *packs], [*vermin, *python_38]]
        return max(run(command) for command in commands)
    if what == "live":
        agents_apart = ["-n", "2", "--dist", "loadgroup"]
        return run([*PYTEST, "tests/live", "-m", "live", *agents_apart, *arguments[1:]])
    if what == "bench":
        return run([str(PYTHON), "-m", "pytest", "tests/bench", "-s", *arguments[1:]])
    parallel = ["-n", "2", "--dist", "loadfile"]
    return run([*PYTEST, *parallel, *(arguments or ["-m", "not live"])])


def set_up(extras: str) -> None:
    """Make `.venv` if need be, and install the checkout into it with what the tests use."""
    if not PYTHON.exists():
        print(f"making {PYTHON.parent.parent} ...", flush=True)
        venv.create(PYTHON.parent.parent, with_pip=True)
    pip = [str(PYTHON), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-e", f"{CHECKOUT}[{extras}]"], check=True)


def run(command: list[str]) -> int:
    """Run a command in the checkout; returns its exit code."""
    print("$", " ".join(command).replace(f"{CHECKOUT}/", ""), flush=True)
    return subprocess.run(command, cwd=CHECKOUT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
