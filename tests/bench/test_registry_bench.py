"""What a large registry costs: 10,000 packs with 50 versions each, over a server on loopback.

`python -m pytest tests/bench/test_registry_bench.py -s` prints the figures.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.registry.generated import Generated
from tests.registry.server import Site, serving

CHECKOUT = Path(__file__).resolve().parents[2]
ROUNDS = 3
_LEFT_OUT = ("HOOKPM_", "XDG_", "PYTHON")

# What a run of the command line spends in the resolver and in the search alone, and its memory: a
# process's own ru_maxrss starts with that of whoever started it.
TIMED = """\
import resource, sys, time
from hookpm.cli import main
from hookpm.project import catalog
from hookpm.resolve import resolver

def timed(module, name):
    inner = getattr(module, name)
    def outer(*a, **k):
        began, worked = time.perf_counter(), time.process_time()
        try:
            return inner(*a, **k)
        finally:
            took = (time.perf_counter() - began) * 1000
            work = (time.process_time() - worked) * 1000
            print(f"TIMED {took:.1f} {work:.1f}", file=sys.stderr)
    setattr(module, name, outer)

timed(resolver, "_searched")
timed(catalog, "search")
code = main.run(sys.argv[1:])
try:
    with open("/proc/self/status") as status:
        most = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
except OSError:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(f"MEMORY {most}", file=sys.stderr)
sys.exit(code)
"""


class Cost(NamedTuple):
    """seconds: of the whole process; inside: milliseconds of the resolver or the search alone, and
    of these the processor's; memory: the most it had, in MB; asked: how many requests, and how
    many brought nothing."""

    seconds: float
    inside: tuple[float, float]
    memory: float
    asked: int
    unchanged: int


def test_what_a_large_registry_costs(tmp_path: Path) -> None:
    large = Generated(packs=10_000, versions=50)
    group = large.group(0)
    with serving() as site:
        site.elsewhere = large.answer
        for path in ("/index.json", *(f"/packs/{name}.json" for name in group)):
            large.answer(path)  # made before anything is measured
        bench = _Bench(tmp_path, site)
        runs = {
            "install of 30 packs, nothing in the cache": ("install", group[0], "--yes", "-q"),
            "the same in another repo, all in the cache": ("install", group[0], "--yes", "-q"),
            "sync of that repo": ("sync", "--yes", "-q"),
            "search, nothing in the cache": ("search", "base", "--limit", "5"),
            "search, all in the cache": ("search", "base", "--limit", "5"),
        }
        best: dict[str, Cost] = {}
        bare = min(bench.run("-c", "pass").seconds for _ in range(ROUNDS))
        for _ in range(ROUNDS):
            bench.forget()
            for name, arguments in runs.items():
                if "install" in arguments:
                    bench.fresh()
                cost = bench.run("-c", TIMED, *arguments)
                best[name] = min(cost, best.get(name, cost))
    print(f"\na registry of 10,000 packs x 50 versions, best of {ROUNDS}")
    for name, cost in best.items():
        print(
            f"  {name:44} {cost.seconds * 1000:6.0f} ms {cost.seconds / bare:5.1f} x bare Python; "
            f"inside {cost.inside[0]:6.1f} ms, at work {cost.inside[1]:5.1f}; "
            f"{cost.memory:5.1f} MB; "
            f"{cost.asked} requests, {cost.unchanged} unchanged"
        )


class _Bench:
    """Runs Python in a repo that names the site, with a home of its own."""

    def __init__(self, base: Path, site: Site) -> None:
        self._base = base
        self._site = site
        self._repo = base / "repo"
        self.forget()
        self.fresh()

    def forget(self) -> None:
        """Nothing is in the user's cache."""
        self._home = Path(tempfile.mkdtemp(dir=self._base))

    def fresh(self) -> None:
        """Nothing is in the repo but the registry's address."""
        shutil.rmtree(self._repo, ignore_errors=True)
        (self._repo / ".git").mkdir(parents=True)
        (self._repo / ".agents").mkdir()
        (self._repo / ".agents" / "hookpm.toml").write_text(
            f'agents = ["claude"]\n\n[registries]\nlarge = "{self._site.url}"\n'
        )

    def run(self, *arguments: str) -> Cost:
        """Run Python; has to end with 0."""
        environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(_LEFT_OUT)},
            "HOME": str(self._home),
            "PYTHONPYCACHEPREFIX": str(self._base / "compiled"),
            "PYTHONPATH": str(CHECKOUT),
        }
        self._site.log.clear()
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self._repo,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        seconds = time.perf_counter() - began
        assert done.returncode == 0, done.stderr
        words = [line.split() for line in done.stderr.splitlines()]
        timed = [(float(each[1]), float(each[2])) for each in words if each[:1] == ["TIMED"]]
        memory = [float(each[1]) / 1024 for each in words if each[:1] == ["MEMORY"]]
        statuses = [asked.status for asked in self._site.log]
        return Cost(
            seconds, max(timed, default=(0.0, 0.0)), sum(memory), len(statuses), statuses.count(304)
        )
