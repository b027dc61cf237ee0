"""disable and enable: hookpm.toml keeps its layout, and what no longer holds is said."""

from __future__ import annotations

import pytest

from tests.project.world import HOOK, World

TWO = HOOK + HOOK.replace('"guard"', '"second"').replace('needs = ["deny"]', 'uses = ["ask"]')


@pytest.fixture
def two(world: World) -> World:
    """A pack `two` with the hooks guard and second, wired in claude and codex."""
    world.publish(world.pack("two", hooks=TWO))
    world.install("two", agents=("claude", "codex"))
    return world


def toml(world: World) -> str:
    return world.read(".agents/hookpm.toml")


def hooks(world: World) -> list[str]:
    return [group["id"] for group in world.load(".agents/hooks.json")["hooks"]["PreToolUse"]]


LINES = {
    'two = "~=1.0"': 'two = {version = "~=1.0", disable = ["guard"]}',
    'two = "~=1.0"  # keep': 'two = {version = "~=1.0", disable = ["guard"]}  # keep',
    "two={ version='~=1.0' , registry = \"embedded\" } # x": (
        'two={ version=\'~=1.0\' , registry = "embedded", disable = ["guard"]} # x'
    ),
    "[packs.two]\nversion = '~=1.0' # y\n\n# other\n[registries]\n": (
        "[packs.two]\nversion = '~=1.0' # y\ndisable = [\"guard\"]\n\n# other\n[registries]\n"
    ),
}


@pytest.mark.parametrize("line", LINES)
def test_a_hook_is_switched_off_and_on_again_and_the_layout_stays(two: World, line: str) -> None:
    text = "# mine\n" + toml(two).replace('two = "~=1.0"', line) + "\n# the end\n"
    two.write(".agents/hookpm.toml", text)
    two.ok("sync")
    two.ok("disable", "two/guard")
    assert toml(two) == text.replace(line, LINES[line])
    assert hooks(two) == ["second"]
    two.ok("enable", "two/guard")
    assert toml(two).replace(" }", "}").replace(" ,", ",") == text.replace(" }", "}").replace(
        " ,", ","
    )
    assert sorted(hooks(two)) == ["guard", "second"]
    assert two.ok("status", "--json").json["state"] == "ok"


def test_what_no_longer_holds_is_said(two: World) -> None:
    done = two.ok("disable", "two/guard")
    where = "PreToolUse Read|Edit|Write|Bash"
    told = f"two/guard no longer runs at {where}: deny no longer holds in claude, codex"
    assert f"note: {told}" in done.err
    assert f"hook guard at {where} NO LONGER RUNS" in done.err
    notes = two.ok("disable", "two/second", "--json").json["notes"]
    assert notes == [f"two/second no longer runs at {where}: ask no longer holds in claude"]
    done = two.ok("enable", "two")
    assert f"two/guard runs again at {where}: deny holds again in claude, codex" in done.err
    assert f"two/second runs again at {where}: ask holds again in claude" in done.err


def test_several_hooks_at_once_and_all_of_a_pack(two: World) -> None:
    done = two.ok("disable", "two/guard", "two/second", "--json").json
    assert len(done["notes"]) == 2
    assert 'disable = ["guard", "second"]' in toml(two)
    assert not (two.repo / ".claude").exists()
    two.ok("enable", "two")
    assert 'two = "~=1.0"\n' in toml(two)
    assert two.denies(".env")


def test_what_is_off_already_changes_nothing(two: World) -> None:
    two.ok("disable", "two/guard")
    before = two.stamped()
    done = two.ok("disable", "two/guard")
    assert "nothing of two changes: guard is off" in done.err
    assert two.stamped() == before
    two.ok("enable", "two")
    assert "nothing of two changes: no hook is off" in two.ok("enable", "two").err


def test_a_dry_run_shows_the_line(two: World) -> None:
    before = two.stamped()
    done = two.ok("disable", "two/guard", "--dry-run")
    assert '+two = {version = "~=1.0", disable = ["guard"]}' in done.out
    assert two.stamped() == before


def test_a_hook_of_a_dependency_gets_a_line_of_its_own_and_loses_it_again(world: World) -> None:
    world.publish(world.pack("top", more='[dependencies]\nhelper = ">=1"\n', hooks=""))
    world.install("top")
    before = toml(world)
    world.ok("disable", "helper/guard")
    assert 'helper = {disable = ["guard"]}' in toml(world)
    world.ok("enable", "helper/guard")
    assert toml(world) == before
    assert world.denies(".env")
    world.ok("uninstall", "top")
    assert world.tree() == {}


def test_a_hook_that_a_profile_switches_off_can_be_switched_on(world: World) -> None:
    profile = world.base / "team/hookpm.toml"
    profile.parent.mkdir()
    profile.write_text('agents = ["claude"]\n[packs]\nguard = {disable = ["guard"]}\n')
    world.write(".agents/hookpm.toml", 'extends = ["../team"]\n')
    world.ok("sync")
    world.ok("enable", "guard/guard")
    assert "guard = {disable = []}" in toml(world)
    assert world.denies(".env")
    world.ok("disable", "guard/guard")
    assert 'guard = {disable = ["guard"]}' in toml(world)


def test_what_a_profile_requires_cannot_be_switched_off(world: World) -> None:
    profile = world.base / "team/hookpm.toml"
    profile.parent.mkdir()
    profile.write_text('agents = ["claude"]\n[packs]\nguard = {required = true}\n')
    world.write(".agents/hookpm.toml", 'extends = ["../team"]\n')
    world.ok("sync")
    before = world.stamped()
    done = world.run("disable", "guard/guard")
    assert (done.code, "required" in done.text or "requires" in done.text) == (1, True), done.text
    assert world.stamped() == before


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("disable", "two/gaurd"), 3, "did you mean two/guard?"),
        (("disable", "two/nothing-like-it"), 3, "its hooks: guard, second"),
        (("disable", "tow/guard"), 3, "did you mean two?"),
        (("disable", "two"), 2, "name one: two/HOOK"),
        (("disable", "two/"), 2, "is no PACK/HOOK"),
        (("disable", "two/a/b"), 2, "is no PACK/HOOK"),
        (("disable",), 2, "PACK/HOOK"),
        (("enable", "two/gaurd"), 3, "did you mean two/guard?"),
        (("enable", "/guard"), 2, "is no PACK/HOOK"),
    ],
)
def test_what_cannot_be_switched_is_said(
    two: World, arguments: tuple[str, ...], code: int, words: str
) -> None:
    before = two.stamped()
    done = two.run(*arguments)
    assert (done.code, words in done.err) == (code, True), done.text
    assert two.stamped() == before
