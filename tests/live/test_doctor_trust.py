"""What the doctor says of trust, held against what the real agent does.

The doctor computes Codex's hash of a hook by itself. If Codex runs a hook that was approved by that
hash alone, the hash, the key and the reading of its state file are all right.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hookpm.agents import health
from hookpm.agents.codex.health import trust_hash
from hookpm.probe.script import Write, do, say
from tests.live.conftest import World, installed


def problems(agent: str, world: World) -> list[str]:
    machine = health.Machine(world.repo, world.home, {})
    return [each.code for each in health.examine(agent, machine)]


def write_secret(world: World, agent: str, trust: bool) -> bool:
    """Drive the agent to write a secret file; is the file there afterwards?"""
    target = world.repo / "id_rsa"
    target.unlink(missing_ok=True)
    world.drive(agent, [do(Write("id_rsa", "key\n")), say("done")], trust=trust)
    return target.exists()


def test_codex_runs_hooks_just_when_the_doctor_says_that_nothing_is_in_the_way(
    world: World,
) -> None:
    installed("codex")
    done = world.hookpm("install", "protect-secrets", "--agent", "codex", "--yes")
    assert done.returncode == 0, done.stderr
    config = world.home / ".codex" / "config.toml"
    config.parent.mkdir(exist_ok=True)

    config.write_text("")
    assert problems("codex", world) == ["not-trusted"]
    assert write_secret(world, "codex", trust=False)

    quoted = json.dumps(str(world.repo.resolve()), ensure_ascii=False)
    config.write_text(f'[projects.{quoted}]\ntrust_level = "trusted"\n')
    assert set(problems("codex", world)) == {"not-approved"}
    assert write_secret(world, "codex", trust=False)

    with config.open("a") as stream:
        stream.write(approvals(world.repo / ".codex/hooks.json"))
    assert problems("codex", world) == []
    assert not write_secret(world, "codex", trust=False)

    config.write_text("[features]\nhooks = false\n" + config.read_text())
    assert problems("codex", world) == ["switched-off"]
    assert write_secret(world, "codex", trust=False)


def approvals(file: Path) -> str:
    """The state that Codex keeps once its user has approved every hook of the file."""
    lines = []
    for event, groups in json.loads(file.read_text())["hooks"].items():
        snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in event).lstrip("_")
        for number, group in enumerate(groups):
            for index, handler in enumerate(group["hooks"]):
                key = f"{file.resolve()}:{snake}:{number}:{index}"
                lines.append(f"[hooks.state.{json.dumps(key, ensure_ascii=False)}]")
                lines.append(f'trusted_hash = "{trust_hash(event, None, handler)}"')
    return "\n".join(["", *lines, ""])


@pytest.mark.parametrize("agent", ["copilot", "gemini"])
def test_an_untrusted_folder_is_named_and_the_agent_runs_no_hook_there(
    agent: str, world: World
) -> None:
    installed(agent)
    done = world.hookpm("install", "protect-secrets", "--agent", agent, "--yes")
    assert done.returncode == 0, done.stderr
    home = {"copilot": ".copilot", "gemini": ".gemini"}[agent]
    (world.home / home).mkdir(exist_ok=True)
    assert problems(agent, world) == ["not-trusted"]
    if agent == "copilot":
        assert write_secret(world, agent, trust=False)
        trusted = {"trustedFolders": [str(world.repo.resolve())]}
        (world.home / home / "config.json").write_text(json.dumps(trusted))
    else:
        trusted_folders = {str(world.repo.resolve()): "TRUST_FOLDER"}
        (world.home / home / "trustedFolders.json").write_text(json.dumps(trusted_folders))
    assert problems(agent, world) == []
    assert not write_secret(world, agent, trust=False)


def test_pi_loads_the_extension_just_when_the_doctor_says_that_nothing_is_in_the_way(
    world: World,
) -> None:
    installed("pi")
    done = world.hookpm("install", "protect-secrets", "--agent", "pi", "--yes")
    assert done.returncode == 0, done.stderr
    folder = world.home / ".pi" / "agent"
    folder.mkdir(parents=True, exist_ok=True)

    assert problems("pi", world) == ["not-trusted"]
    assert write_secret(world, "pi", trust=False)

    (folder / "settings.json").write_text('{"defaultProjectTrust": "always"}')
    assert problems("pi", world) == []
    assert not write_secret(world, "pi", trust=False)

    above = str(world.repo.resolve().parent)
    (folder / "trust.json").write_text(json.dumps({above: False}))
    assert problems("pi", world) == ["not-trusted"]
    assert write_secret(world, "pi", trust=False)

    here = str(world.repo.resolve())
    (folder / "trust.json").write_text(json.dumps({above: False, here: True}))
    assert problems("pi", world) == []
    assert not write_secret(world, "pi", trust=False)
