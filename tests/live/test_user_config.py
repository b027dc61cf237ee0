"""The main job on Kimi Code, which reads hooks from the user's config only: by the user bridge."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from hookpm.agents.kimi import wiring
from hookpm.edit import tomledit
from hookpm.edit.tomldoc import parse
from hookpm.probe import agents as probed
from hookpm.probe import packages
from hookpm.probe.run import NOWHERE, Outcome
from hookpm.probe.script import Edit, Native, Shell, Write, do, say

if TYPE_CHECKING:
    from tests.live.conftest import World

# Words of the pack's reasons that Kimi's own have not.
REASON = "off limits"
# Kimi's own file tools refuse `.env` and keys before any hook is asked, so that there the guard can
# only be seen at another secret file.
SECRET = ".netrc"
KIMIS_REASON = "matches a sensitive-file pattern"
CONFIG = """\
# mine
theme = 'dark'

[[hooks]]
event = 'Stop'
command = 'true'

[thinking] # none"""


class Story(NamedTuple):
    """What Kimi lived through in a repository with the pack; afar: it wrote into another one.

    config: the user's file, once the bridge was gone.
    """

    world: World
    guarded: Outcome
    guarded_files: set[str]
    afar: Outcome
    config: str


@pytest.fixture(scope="module")
def story(need: Callable[[str], str], new_world: Callable[[], World]) -> Story:
    """The pack is installed for another agent; the user has the bridge and allowed the project."""
    need("kimi")
    world = new_world()
    config = world.home / wiring.USER_FILE
    config.parent.mkdir()
    config.write_text(CONFIG)
    run(world, "install", "protect-secrets", "--agent", "claude", "--yes")
    run(world, "init", "--user-bridge", "--agent", "kimi", "--yes")
    run(world, "allow", "--yes")
    (world.repo / "below").mkdir()
    guarded = world.drive(
        "kimi",
        [
            do(Write(SECRET, "TOKEN=1\n")),
            do(Write("notes.txt", "Allowed\n")),
            do(Shell("cp README.md .env")),
            do(Native("Bash", {"command": "cp README.md .env", "cwd": str(world.repo)})),
            do(Edit("README.md", "A repository", "The repository")),
            do(Write(".env", "TOKEN=1\n")),
            say("done"),
        ],
        cwd="below",
    )
    files = world.files()
    afar = world.drive("kimi", [do(Write(str(world.other / SECRET), "TOKEN=3\n")), say("done")])
    run(world, "init", "--user-bridge", "--remove", "--yes")
    return Story(world, guarded, files, afar, config.read_text())


def run(world: World, *arguments: str) -> None:
    done = world.hookpm(*arguments)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("turn", [0, 2, 3])
def test_writes_and_shell_copies_of_secrets_are_denied_and_the_reason_reaches_the_model(
    story: Story, turn: int
) -> None:
    assert not [f for f in story.guarded_files if f.endswith((SECRET, ".env"))], (
        story.guarded.report()
    )
    assert story.guarded.model_saw(REASON, after=turn), story.guarded.report()
    assert REASON in story.guarded.tool_results[turn]


def test_what_the_pack_allows_goes_through(story: Story) -> None:
    assert (story.world.repo / "notes.txt").read_text() == "Allowed\n", story.guarded.report()
    assert (story.world.repo / "README.md").read_text() == "The repository\n"
    assert not story.guarded.model_saw(REASON, after=1)


def test_kimi_refuses_a_dotenv_by_itself_before_any_hook(story: Story) -> None:
    assert KIMIS_REASON in story.guarded.tool_results[5], story.guarded.report()
    assert not story.guarded.model_saw(REASON, after=5)


def test_kimi_takes_the_file_with_our_entries(story: Story) -> None:
    assert "invalid config" not in story.guarded.stdout + story.guarded.stderr


def test_without_the_bridge_the_users_file_is_as_it_was(story: Story) -> None:
    assert story.config == CONFIG


def test_a_refusal_in_another_repository_comes_from_where_kimi_was_started(story: Story) -> None:
    assert story.afar.model_saw(REASON, after=0), story.afar.report()
    assert not (story.world.other / SECRET).exists()


QUIET = {
    "KIMI_CODE_NO_AUTO_UPDATE": "1",
    "KIMI_DISABLE_TELEMETRY": "1",
    "HTTPS_PROXY": NOWHERE,
    "HTTP_PROXY": NOWHERE,
}
KIMIS_OWN_VIEW = {
    "ours": "",
    "an unknown key": "statusMessage = 'x'\n",
    "a long timeout": "[[hooks]]\nevent = 'Stop'\ncommand = 'x'\ntimeout = 601\n",
    "a float": "[[hooks]]\nevent = 'Stop'\ncommand = 'x'\ntimeout = 5.0\n",
    "a fraction": "[[hooks]]\nevent = 'Stop'\ncommand = 'x'\ntimeout = 5.5\n",
    "an unknown event": "[[hooks]]\nevent = 'PreFoo'\ncommand = 'x'\n",
    "no command": "[[hooks]]\nevent = 'Stop'\n",
    "an empty command": "[[hooks]]\nevent = 'Stop'\ncommand = ''\n",
    "a bad matcher": "[[hooks]]\nevent = 'Stop'\ncommand = 'x'\nmatcher = '*'\n",
    "every event": "".join(
        f"[[hooks]]\nevent = '{event}'\ncommand = 'x'\n" for event in wiring._NATIVE_EVENTS
    ),
}


@pytest.mark.parametrize("more", KIMIS_OWN_VIEW.values(), ids=list(KIMIS_OWN_VIEW))
def test_we_name_just_what_kimis_own_check_refuses(
    more: str, need: Callable[[str], str], tmp_path: Path
) -> None:
    kimi = probed.load(need("kimi"))
    (entry,) = wiring.entries(("PreToolUse",), 10)
    text = tomledit.append(CONFIG, entry.path, entry.value).text + more
    file = tmp_path / "config.toml"
    file.write_text(text)
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(
            [packages.executable(kimi), "doctor", "config", file],
            env={"HOME": str(tmp_path), "PATH": packages.search_path(kimi), **QUIET},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:  # it has said its word, and now and then stays
            process.kill()
            process.wait()
    verdict = (tmp_path / "said").read_text()
    assert "config.toml" in verdict
    assert ("ERROR" in verdict) == bool(wiring.dropped_by(parse(text))), verdict
