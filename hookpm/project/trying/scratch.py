"""A project of its own for a moment: what an install of packs would write, and the bridge in it.

Cases and trials run here, so that nothing of them touches the user's repo, caches or sessions.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.project import generated, hooksjson
from hookpm.project.home.scope import PROJECT, Scope
from hookpm.project.vendor import FOLDER

if TYPE_CHECKING:
    from hookpm.project.generated import PackTarget
    from hookpm.project.hooksjson import Group

TIME_LIMIT = 700.0  # seconds; a hook's own limit is at most 600

# What is set by agents and by hookpm: a hook in a scratch project must not see the session around.
_FOREIGN = ("CLAUDE", "GEMINI_", "COPILOT_", "CURSOR_", "CODEX_", "QWEN_", "FACTORY_", "HOOKPM_")


class Ended(NamedTuple):
    """How the bridge ended. error: why it did not run at all, "" where it did."""

    code: int
    stdout: bytes
    stderr: str
    error: str = ""

    @property
    def notes(self) -> list[str]:
        """The bridge's own remarks on stderr."""
        start = "hookpm: "
        lines = self.stderr.splitlines()
        return [line.removeprefix(start) for line in lines if line.startswith(start)]


def write(
    project: Path,
    targets: Sequence[PackTarget],
    changed: Callable[[Group], Group] = lambda group: group,
) -> None:
    """Write below `project` what an install of these packs would. changed: each group of the hooks
    file as it is to stand there."""
    for path, file in generated.wanted_files(targets, {}, Scope(PROJECT)).items():
        place = project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.data)
        if file.executable:
            place.chmod(0o755)
    groups = [
        changed(group)
        for target in targets
        for group in hooksjson.groups(target.content.manifest, target.disabled)
    ]
    text = hooksjson.updated(None, groups, (), hooksjson.OURS).text or '{"hooks": {}}\n'
    (project / hooksjson.OURS).write_text(text, encoding="utf-8")


def run_bridge(
    project: Path, agent: str, event: str, payload: Mapping[str, Any], more: Mapping[str, str]
) -> Ended:
    """Call the bridge in a scratch project as `agent` would. more: further variables."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(project / FOLDER / "bridge.py"), agent, event],
            input=json.dumps(payload).encode(),
            capture_output=True,
            cwd=project,
            env={**_environment(project), **more},
            timeout=TIME_LIMIT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Ended(0, b"", "", f"the bridge did not run: {error}")
    return Ended(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def _environment(project: Path) -> dict[str, str]:
    """Our own environment without agents' variables; caches and sessions stay in the scratch."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(_FOREIGN)}
    return {**kept, "XDG_CACHE_HOME": str(project.parent / "cache")}
