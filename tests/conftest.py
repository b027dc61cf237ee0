"""What tests of several folders share, and the totals at the end of a run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import settings

from hookpm.agents import local
from tests.project.world import World

_MARK = "tally:"

# A case that takes long on a busy machine is no fault.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


class Tally(Protocol):
    """Counts what a test went through, for the totals: `tally(files=3)`."""

    def __call__(self, **counted: int) -> None:
        """Add to the totals of these names."""


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Tally:
    """What is counted goes with the test's report, so that it comes through from any process."""

    def count(**counted: int) -> None:
        for name, number in counted.items():
            record_property(f"{_MARK}{name}", number)

    return count


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Count the random cases of every test by Hypothesis, as it tells them itself."""
    report = yield
    told = getattr(item, "hypothesis_statistics", "")
    if report.when == "call" and told:
        cases = sum(map(int, re.findall(r"(\d+) passing", told)))
        report.user_properties.append((f"{_MARK}random_cases", cases))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the totals of everything that the tests counted."""
    totals: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) != "call":
                continue
            for name, value in report.user_properties:
                if name.startswith(_MARK):
                    totals[name.removeprefix(_MARK)] += value
    if totals:
        terminalreporter.section("went through")
        for name, number in sorted(totals.items()):
            terminalreporter.write_line(f"{number:>8} {name.replace('_', ' ')}")


@pytest.fixture(scope="session", autouse=True)
def no_local_evidence(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What `hookpm probe` measured on the developer's machine is no part of any test."""
    place = tmp_path_factory.mktemp("evidence")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "folder", lambda: place)
        yield


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A repo, a home and a registry with the packs guard 1.0.0, 1.1.0, 2.0.0 and helper 1.0.0."""
    made = World(tmp_path, monkeypatch)
    folders = [made.pack("guard", version) for version in ("1.0.0", "1.1.0", "2.0.0")]
    made.publish(*folders, made.pack("helper"))
    return made
