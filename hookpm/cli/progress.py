"""A bar for downloads that take their time, on a terminal only.

rich, which draws it, takes longer to import than most packs to download.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from rich.progress import Progress as Bars

    from hookpm.registry.fetch import Progress, Watch

_PATIENCE = 0.3  # seconds before there is a bar


def watch(options: argparse.Namespace) -> Watch | None:
    """What is to be told of downloads: something that draws, where somebody looks on."""
    quiet = getattr(options, "quiet", False) or getattr(options, "json", False)
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        return None
    return _Drawing().show


class _Drawing:
    """One bar for all downloads that are under way; it goes when they are done."""

    def __init__(self) -> None:
        self._drawing = threading.Lock()
        self._running: dict[str, Progress] = {}
        self._ended: list[Progress] = []
        self._bars: Bars | None = None
        self._began = 0.0

    def show(self, progress: Progress) -> None:
        """Called from the threads that download."""
        with self._drawing:
            if not self._running:
                self._began = time.monotonic()
            if progress.ended:
                self._running.pop(progress.url, None)
                self._ended.append(progress)
            else:
                self._running[progress.url] = progress
            if not self._running:
                self._clear()
            elif time.monotonic() - self._began > _PATIENCE:
                self._draw()

    def _draw(self) -> None:
        if self._bars is None:
            self._bars = _bars()
            self._bars.add_task("downloading")
            self._bars.start()
        under_way = [*self._running.values(), *self._ended]
        known = all(each.total is not None for each in under_way)
        self._bars.update(
            self._bars.task_ids[0],
            completed=sum(each.done for each in under_way),
            total=sum(each.total or 0 for each in under_way) if known else None,
            description=f"downloading, {len(self._running)} at a time",
        )

    def _clear(self) -> None:
        if self._bars is not None:
            self._bars.stop()
            self._bars = None
        self._ended.clear()


def _bars() -> Bars:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn
    from rich.progress import Progress as Bars

    return Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        console=Console(stderr=True),
        transient=True,
    )
