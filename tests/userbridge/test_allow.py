"""`hookpm allow`: shows what would run, asks, and keeps just that."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from hookpm.errors import FileFormatError, RefusedError
from hookpm.project.home import allow, userbridge
from tests.project.world import CHECKOUT
from tests.userbridge.rig import User


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def asked(user: User, answer: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """`hookpm allow` on a terminal, with that answer."""
    from hookpm.cli import main

    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stderr", Terminal())
    return main.run(["allow", str(user.repo)])


def test_it_shows_the_commands_and_the_files_before_it_asks(
    user: User, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    user.project()
    assert asked(user, "n\n", monkeypatch) == 1
    shown = capsys.readouterr().out
    assert "watch/guard at PreToolUse Read|Edit|Write|Bash:" in shown
    assert ".agents/hookpm/packs/watch/guard.py" in shown
    assert not user.list.exists()


def test_a_yes_on_the_terminal_allows(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    user.project()
    assert asked(user, "y\n", monkeypatch) == 0
    assert [each.state for each in allow.listed()] == ["allowed"]


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_without_a_terminal_and_a_yes_nothing_is_allowed(user: User, options: list[str]) -> None:
    user.project()
    done = user.world.run("allow", *options)
    assert (done.code, "--yes" in done.err) == (1, True)
    assert not user.list.exists()


def test_it_says_what_differs_from_what_was_allowed(user: User) -> None:
    user.project()
    user.allow()
    packs = user.repo / ".agents/hookpm/packs/watch"
    (packs / "guard.py").write_text("import os\n")
    (packs / "more.py").write_text("")
    (packs / "hookpack.toml").unlink()
    out = user.world.run("allow").out
    assert "~ .agents/hookpm/packs/watch/guard.py" in out
    assert "+ .agents/hookpm/packs/watch/more.py" in out
    assert "- .agents/hookpm/packs/watch/hookpack.toml" in out


def test_it_warns_of_files_that_are_not_as_the_lock_lists_them(user: User) -> None:
    user.project()
    (user.repo / ".agents/hookpm/packs/watch/guard.py").write_text("import os\n")
    (user.repo / ".agents/hookpm/stray.py").write_text("")
    err = user.world.run("allow").err
    assert "packs/watch/guard.py is not the file that the lock lists" in err
    assert "stray.py is not in the lock" in err


def test_it_warns_that_what_the_users_own_hooks_run_is_not_watched(user: User) -> None:
    user.project()
    file = user.repo / ".agents/hooks.json"
    document = json.loads(file.read_text())
    own = {"hooks": [{"type": "command", "command": "./scripts/check.sh"}]}
    document["hooks"]["Stop"] = [own]
    file.write_text(json.dumps(document))
    done = user.world.run("allow")
    assert "your own at Stop: ./scripts/check.sh" in done.out
    assert "1 hook is no pack's" in done.err


def test_a_command_over_several_lines_cannot_forge_lines_of_ours(user: User) -> None:
    user.project()
    file = user.repo / ".agents/hooks.json"
    document = json.loads(file.read_text())
    own = {"hooks": [{"type": "command", "command": "evil\n  watch/guard at Stop: true\n\x1b[8m"}]}
    document["hooks"]["Stop"] = [own]
    file.write_text(json.dumps(document))
    out = user.world.run("allow").out
    assert "evil\\n  watch/guard at Stop: true\\n\\x1b[8m" in out


def test_from_a_subfolder_it_finds_the_project(user: User) -> None:
    user.project()
    user.world.ok("allow", "--yes", cwd=user.repo / "sub")
    assert [each.path for each in allow.listed()] == [str(user.repo)]


def test_where_no_project_is_it_says_so(user: User) -> None:
    assert user.world.run("allow", user.world.base, "--yes").code == 3


def test_it_is_refused_after_a_run_that_was_stopped_half_way(user: User) -> None:
    user.project()
    (user.repo / ".agents/.hookpm-pending").mkdir()
    done = user.world.run("allow", "--yes")
    assert (done.code, "hookpm sync" in done.err) == (1, True)


def test_what_cannot_be_read_for_sure_cannot_be_allowed(user: User) -> None:
    user.project()
    (user.repo / ".agents/hookpm/packs/watch/link.py").symlink_to("guard.py")
    done = user.world.run("allow", "--yes")
    assert (done.code, "link.py" in done.err) == (1, True)
    with pytest.raises(RefusedError):
        allow.look(user.repo)


def test_the_list_is_for_the_user_alone_and_json_tells_it_all(user: User) -> None:
    user.project()
    done = user.world.ok("allow", "--yes", "--json")
    assert done.json["state"] == "allowed"
    assert done.json["hooks"][0]["event"] == "PreToolUse"
    assert user.list.stat().st_mode & 0o777 == 0o600
    (listed,) = user.world.ok("allow", "--list", "--json").json["allowed"]
    assert (listed["path"], listed["sha256"]) == (str(user.repo), done.json["sha256"])


def test_the_list_says_what_changed_and_what_is_gone(user: User) -> None:
    other = user.project(user.world.base / "other")
    user.project()
    user.allow()
    user.allow(other)
    (user.repo / ".agents/hooks.json").write_text("{}")
    shutil.rmtree(other)
    states = {each.path: each.state for each in allow.listed()}
    assert states == {str(user.repo): "changed", str(other): "gone"}


def test_revoked_nothing_is_kept_of_it_even_where_the_folder_is_gone(user: User) -> None:
    before = user.world.tree(user.home)
    other = user.project(user.world.base / "other")
    user.allow(other)
    shutil.rmtree(other)
    user.world.ok("allow", "--revoke", other)
    assert not user.list.exists()
    after = user.world.tree(user.home)
    assert {p for p in after if "cache" not in p} == {p for p in before if "cache" not in p}
    assert user.world.run("allow", "--revoke", other).code == 3


def test_two_projects_with_the_same_files_share_a_copy_until_both_are_revoked(user: User) -> None:
    user.project()
    other = user.world.base / "other"
    shutil.copytree(user.repo, other)
    user.bridge("claude")
    user.allow()
    user.allow(other)
    user.world.ok("allow", "--revoke", user.repo)
    assert user.call(other / "sub").refused
    user.world.ok("allow", "--revoke", other)
    assert not (user.data / "allowed").exists()


def test_allowed_again_the_old_copy_goes(user: User) -> None:
    user.project()
    user.allow()
    (user.repo / ".agents/hookpm/packs/watch/x").write_text("")
    user.allow()
    assert len(list((user.data / "allowed").iterdir())) == 1


def test_many_at_the_same_time_lose_none(user: User) -> None:
    roots = [user.world.base / f"r{number}" for number in range(6)]
    user.project(roots[0])
    for root in roots[1:]:
        shutil.copytree(roots[0], root)

    def run(root: object) -> int:
        return subprocess.run(
            [sys.executable, "-m", "hookpm", "allow", str(root), "--yes"],
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            capture_output=True,
            timeout=120,
        ).returncode

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(run, roots)) == [0] * len(roots)
    assert [each.path for each in allow.listed()] == [str(root) for root in roots]


def test_a_list_that_does_not_read_is_said_and_never_overwritten(user: User) -> None:
    user.project()
    user.allow()
    user.list.write_text("{")
    done = user.world.run("allow", "--yes")
    assert (done.code, str(user.list) in done.err) == (3, True)
    assert user.list.read_text() == "{"
    with pytest.raises(FileFormatError):
        allow.listed()


def test_a_folder_that_is_not_there_allows_nothing_around_it(user: User) -> None:
    user.project()
    assert user.world.run("allow", user.repo / "typo", "--yes").code == 2
    assert not user.list.exists()


def test_the_lines_for_status_say_what_to_do(user: User) -> None:
    user.project()
    assert userbridge.lines(user.repo) == []
    user.bridge("claude")
    assert any("not allowed" in line for line in userbridge.lines(user.repo))
    user.allow()
    assert userbridge.lines(user.repo)[-1].endswith("allowed as it is")
    (user.data / "bridge/bridge.py").write_text("old\n")
    assert any("another hookpm version" in line for line in userbridge.lines(user.repo))


def test_status_can_tell_where_the_bridge_is_and_how_the_project_stands(user: User) -> None:
    assert userbridge.standing(user.repo) == ({}, "")
    user.project()
    user.bridge("claude")
    assert userbridge.standing(user.repo).state == "not allowed"
    user.allow()
    wired = {"claude": str(user.home / ".claude/settings.json")}
    assert userbridge.standing(user.repo) == (wired, "allowed")
    (user.repo / ".agents/hooks.json").write_text("{}")
    assert userbridge.standing(user.repo).state == "changed"
