"""Every case of the pack, through the hook as the agents' bridge runs it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.packs_protect_secrets import GUARD, PACK, answer_of, tomllib

OLD_PYTHON = os.environ.get("HOOKPM_PYTHON38") or shutil.which("python3.8") or ""


def _runs(python: str) -> bool:
    """Whether it is an interpreter; a shim on PATH may name a version that is not chosen."""
    if not python:
        return False
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def cases() -> list[Any]:
    found = []
    for file in sorted((PACK / "cases").glob("*.toml")):
        read = tomllib.loads(file.read_text("utf-8"))["case"]
        found += [pytest.param(case, id=f"{file.stem}: {case['name']}") for case in read]
    return found


@pytest.mark.parametrize("case", cases())
def test_the_case_is_answered_as_it_says(case: dict[str, Any], tmp_path: Path) -> None:
    decision, reason = answer_of(
        case["tool"], case["input"], cwd=str(tmp_path), options=case.get("options", {})
    )
    assert decision == {"none": ""}.get(case["expect"], case["expect"]), reason
    assert case.get("reason", "") in reason
    assert decision != "allow"


def test_there_are_enough_cases_and_no_two_share_a_name() -> None:
    ids = [param.id for param in cases()]
    assert len(ids) >= 150
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("python", ["this", "old"])
def test_the_program_answers_some_cases_of_each_kind_in_the_protocol(
    python: str, tmp_path: Path
) -> None:
    if python == "old" and not _runs(OLD_PYTHON):
        pytest.skip("no Python 3.8: none on PATH and HOOKPM_PYTHON38 is not set")
    program = sys.executable if python == "this" else OLD_PYTHON
    for param in cases()[::23]:
        case = param.values[0]
        payload = {
            "hook_event_name": "PreToolUse",
            "tool_name": case["tool"],
            "tool_input": case["input"],
            "cwd": str(tmp_path),
        }
        done = subprocess.run(
            [program, "-I", "-S", str(GUARD)],
            input=json.dumps(payload).encode(),
            capture_output=True,
            env={"HOME": str(tmp_path), "HOOKPM_OPTIONS": json.dumps(case.get("options", {}))},
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), case["name"]
        if case["expect"] == "none":
            assert done.stdout == b"", case["name"]
            continue
        said = json.loads(done.stdout)["hookSpecificOutput"]
        assert said["hookEventName"] == "PreToolUse"
        assert said["permissionDecision"] == case["expect"], case["name"]
        assert case.get("reason", "") in said["permissionDecisionReason"]
