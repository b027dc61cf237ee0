"""What the user bridge runs, and what it does not: through the line in the user's own file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hookpm.project.vendor import bridge_files
from tests.bridge.rig import PYTHON, pythons
from tests.userbridge.rig import AGENTS, BY_THE_USER_ALONE, User

WATCHED = (".agents/hooks.json", ".agents/hookpm.lock", ".agents/hookpm/packs/watch/guard.py")


@pytest.fixture
def allowed(user: User) -> User:
    """A project that is allowed, and the bridge in every agent."""
    user.project()
    user.bridge()
    user.allow()
    return user


@pytest.mark.parametrize("agent", AGENTS)
def test_an_allowed_projects_hooks_run_from_a_subfolder_and_refuse(
    allowed: User, agent: str
) -> None:
    heard = allowed.call(agent=agent)
    assert (heard.refused, heard.code) == (True, 0), heard
    assert heard.ran == [str(allowed.repo)]
    assert not allowed.call(command="ls", agent=agent).refused


@pytest.mark.parametrize("agent", AGENTS)
def test_a_project_that_is_not_allowed_runs_nothing_and_the_user_is_told(
    user: User, agent: str
) -> None:
    user.project()
    user.bridge()
    heard = user.call(agent=agent)
    assert (heard.ran, heard.refused, heard.code) == ([], False, 0)
    assert f"hookpm allow {user.repo}" in heard.told


@pytest.mark.parametrize("agent", BY_THE_USER_ALONE)
def test_agents_that_read_the_users_config_alone_have_it_everywhere(user: User, agent: str) -> None:
    user.project()
    user.bridge("claude", agent)
    cwd = user.home if agent == "antigravity" else None  # its hooks run in a folder of its own
    assert user.call(user.repo, agent=agent, cwd=cwd).ran == []
    user.allow()
    for start in (user.repo, user.repo / "sub"):
        heard = user.call(start, agent=agent, cwd=cwd)
        assert (heard.refused, heard.code, heard.ran) == (True, 0, [str(user.repo)]), heard


def test_an_agent_that_takes_silence_for_a_refusal_hears_that_all_is_well(user: User) -> None:
    user.bridge("claude")
    for start in (user.world.base, user.project()):
        heard = user.call(start, agent="antigravity", cwd=user.home)
        assert (heard.answer, heard.ran) == ({"decision": "allow"}, [])


def test_where_the_user_sees_nothing_of_a_hook_the_model_is_told_once_but_not_how(
    user: User,
) -> None:
    user.project()
    user.bridge("claude", "kimi")
    first = user.call(agent="kimi", event="UserPromptSubmit")
    assert "has not allowed them" in str(first.answer)
    assert "hookpm allow" not in str(first.answer)
    assert user.call(agent="kimi", event="UserPromptSubmit").answer == {}


def test_the_user_is_told_once_a_session(user: User) -> None:
    user.project()
    user.bridge()
    assert user.call().answer["systemMessage"]
    assert user.call().answer == {}
    assert user.call(session="s2").answer["systemMessage"]


def test_a_clone_of_an_allowed_project_is_not_allowed(allowed: User) -> None:
    clone = allowed.world.base / "clone"
    shutil.copytree(allowed.repo, clone)
    heard = allowed.call(clone / "sub")
    assert (heard.ran, heard.refused) == ([], False)


@pytest.mark.parametrize("path", WATCHED)
@pytest.mark.parametrize("change", ["other bytes", "gone", "unreadable"])
def test_what_is_not_as_it_was_allowed_runs_nothing(allowed: User, path: str, change: str) -> None:
    file = allowed.repo / path
    data = file.read_bytes()
    if change == "unreadable":
        file.unlink()
        file.mkdir()
    elif change == "other bytes":
        file.write_bytes(data + b"\n")
    else:
        file.unlink()
    heard = allowed.call()
    assert (heard.ran, heard.refused) == ([], False), heard
    assert "not what you allowed" in heard.told


def test_a_new_file_among_the_watched_ones_counts_as_a_change(allowed: User) -> None:
    (allowed.repo / ".agents/hookpm/packs/watch/json.py").write_text("print('mine')\n")
    heard = allowed.call()
    assert (heard.ran, heard.refused) == ([], False)


@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_what_is_no_file_among_the_watched_ones_runs_nothing_and_is_not_waited_for(
    allowed: User, kind: str
) -> None:
    path = allowed.repo / ".agents/hookpm/packs/watch/x"
    os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")
    heard = allowed.call()
    assert heard.ran == []
    assert "no file at all" in heard.told


def test_a_mode_that_changed_counts_as_a_change(allowed: User) -> None:
    (allowed.repo / ".agents/hookpm/packs/watch/guard.py").chmod(0o755)
    assert allowed.call().ran == []


def test_a_change_that_keeps_size_and_time_is_seen(allowed: User) -> None:
    file = allowed.repo / ".agents/hookpm/packs/watch/guard.py"
    stat = file.stat()
    file.write_bytes(file.read_bytes().replace(b"sys.exit(2)", b"sys.exit(0)"))
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert allowed.call().ran == []


def test_a_huge_file_in_the_place_of_a_small_one_is_not_read_to_its_end(allowed: User) -> None:
    with (allowed.repo / ".agents/hookpm/aaa").open("wb") as file:
        file.truncate(1 << 42)  # a hole: nothing on the disk
    try:
        heard = allowed.call()
    finally:
        (allowed.repo / ".agents/hookpm/aaa").unlink()
    assert heard.ran == []
    assert "not what you allowed" in heard.told


def test_put_back_as_it_was_the_project_is_allowed_again(allowed: User) -> None:
    file = allowed.repo / WATCHED[0]
    data = file.read_bytes()
    file.write_bytes(b"{}")
    assert not allowed.call().refused
    file.write_bytes(data)
    assert allowed.call().refused


def test_what_runs_is_the_copy_that_was_allowed_not_the_file_in_the_project(
    allowed: User,
) -> None:
    """Nothing can come between the check and the run: the hook's folder is the copy."""
    copies = list((allowed.data / "allowed").glob("*/.agents/hookpm/packs/watch/guard.py"))
    assert len(copies) == 1
    copies[0].write_text(
        "import sys\nprint('the copy: not the secret one', file=sys.stderr)\nsys.exit(2)\n"
    )
    assert "the copy" in str(allowed.call().answer)


def test_a_copy_that_is_gone_runs_nothing(allowed: User) -> None:
    shutil.rmtree(allowed.data / "allowed")
    heard = allowed.call()
    assert heard.ran == []
    assert "not kept any more" in heard.told


def test_the_bridge_in_the_project_is_never_run(allowed: User) -> None:
    for path in bridge_files():
        if path.endswith(".py"):
            (allowed.repo / ".agents/hookpm" / path).write_text("raise SystemExit('the clone ran')")
    heard = allowed.call()
    assert heard.ran == []
    assert "the clone ran" not in heard.stderr


def test_a_project_that_others_sessions_changed_and_the_user_allowed_anew_runs(
    allowed: User,
) -> None:
    guard = allowed.repo / ".agents/hookpm/packs/watch/guard.py"
    guard.write_text(guard.read_text() + "# more\n")
    assert not allowed.call().refused
    allowed.allow()
    assert allowed.call().refused


def test_revoked_it_runs_nothing(allowed: User) -> None:
    allowed.world.ok("allow", "--revoke", allowed.repo)
    assert allowed.call().ran == []


# --- finding the project ---------------------------------------------------------------------


def test_the_payloads_cwd_and_the_process_folder_do_not_choose_the_project(allowed: User) -> None:
    other = allowed.project(allowed.world.base / "other")
    assert allowed.call(cwd=other).ran == [str(allowed.repo)]


def test_no_project_means_silence(allowed: User) -> None:
    heard = allowed.call(allowed.world.base)
    assert (heard.answer, heard.stderr, heard.code) == ({}, "", 0)


def test_through_a_link_or_with_dots_it_is_the_same_project(allowed: User) -> None:
    link = allowed.world.base / "link"
    link.symlink_to(allowed.repo)
    assert allowed.call(link / "sub").refused
    assert allowed.call(allowed.repo / "sub" / ".." / "sub").refused


def test_moved_it_is_another_project(allowed: User) -> None:
    moved = allowed.world.base / "moved"
    allowed.repo.rename(moved)
    (allowed.repo / "sub").mkdir(parents=True)
    assert allowed.call(moved / "sub").ran == []


def test_another_spelling_of_the_path_is_another_project(allowed: User) -> None:
    shutil.copytree(allowed.repo, allowed.world.base / "REPO")
    assert allowed.call(allowed.world.base / "REPO" / "sub").ran == []


def test_in_a_project_inside_a_project_the_nearest_one_counts(allowed: User) -> None:
    inner = allowed.project(allowed.repo / "vendor" / "inner")
    allowed.allow(inner)
    assert allowed.call(inner / "sub").ran == [str(inner)]


def test_inside_a_project_that_is_not_allowed_the_one_around_it_still_holds(allowed: User) -> None:
    """Else a file in a subfolder would be enough to switch the hooks off."""
    inner = allowed.project(allowed.repo / "vendor" / "inner")
    heard = allowed.call(inner / "sub")
    assert (heard.refused, heard.ran) == (True, [str(allowed.repo)])
    assert str(inner) in heard.told


def test_a_lock_that_was_removed_is_no_silent_way_out(allowed: User) -> None:
    shutil.rmtree(allowed.repo / ".agents")
    heard = allowed.call()
    assert heard.ran == []
    assert str(allowed.repo) in heard.told


def test_the_home_folder_is_no_project_of_the_folders_in_it(user: User) -> None:
    user.project(user.home)
    user.bridge("claude")
    work = user.home / "work"
    work.mkdir()
    heard = user.call(work)
    assert (heard.answer, heard.stderr) == ({}, "")


@pytest.mark.parametrize("name", ["with space", 'it\'s $(touch x); "q"', "grün-日本", "new\nline"])
def test_a_project_may_have_any_name(user: User, name: str) -> None:
    root = user.project(user.world.base / name)
    user.bridge("claude")
    told = user.call(root / "sub").told
    assert "hookpm allow" in told
    assert "\n" not in told.strip()
    user.allow(root)
    for locale in ("C.UTF-8", "C", "POSIX"):
        assert user.call(root / "sub", LC_ALL=locale).refused


def test_a_name_that_is_shell_code_is_quoted_in_the_command_to_copy(user: User) -> None:
    root = user.project(user.world.base / "a;rm -rf b")
    user.bridge("claude")
    assert f"hookpm allow '{root}'" in user.call(root).told


# --- once ------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", AGENTS)
def test_started_in_the_root_of_a_project_that_wires_the_agent_itself_the_bridge_stands_down(
    user: User, agent: str
) -> None:
    user.project(agent=agent)
    user.bridge()
    user.allow()
    heard = user.call(user.repo, agent=agent)
    assert (heard.answer, heard.stderr, heard.ran) == ({}, "", [])
    assert user.call(agent=agent).ran == [str(user.repo)]


def test_it_does_not_stand_down_once_the_projects_wiring_is_gone(user: User) -> None:
    user.project(agent="claude")
    user.bridge()
    user.allow()
    (user.repo / ".claude/settings.json").write_text("{}")
    assert user.call(user.repo).refused


@pytest.mark.parametrize(
    "broken",
    [
        '{"disableAllHooks": true, ',
        '"hooks": {"PermissionRequest": [{"hooks": [{"type": "nonsense"}]}], ',
        "{ // a comment\n",
    ],
)
def test_it_does_not_stand_down_where_the_agent_drops_the_projects_file(
    user: User, broken: str
) -> None:
    user.project(agent="claude")
    user.bridge()
    user.allow()
    file = user.repo / ".claude/settings.json"
    text = file.read_text().lstrip()
    if '"hooks"' in broken:
        file.write_text(text.replace('"hooks": {', broken, 1))
    else:
        file.write_text(broken + text[1:])
    assert user.call(user.repo).refused


def test_a_changed_packs_json_cannot_make_the_bridge_stand_down(user: User) -> None:
    """Which line is the project's own, the copy knows that was allowed."""
    user.project()
    user.bridge()
    user.allow()
    packs = user.repo / ".agents/hookpm/packs.json"
    packs.write_text('{"wired": {"claude": {"file": "x", "events": {"PreToolUse": "true"}}}}')
    (user.repo / "x").write_text(
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}}'
    )
    assert "not what you allowed" in user.call(user.repo).told


def test_told_to_leave_the_projects_settings_out_an_agent_still_has_the_bridge(user: User) -> None:
    user.project(agent="claude")
    user.bridge()
    user.allow()
    line = f"sh -c '{user.line('claude')}' claude --setting-sources user; exit 0"
    assert user.call(user.repo, line=line).refused


@pytest.mark.parametrize("place", ["packs.json", "config"])
def test_a_clone_with_a_file_without_an_end_holds_nobody_up(user: User, place: str) -> None:
    user.project(agent="claude")
    user.bridge("claude")
    packs = user.repo / ".agents/hookpm/packs.json"
    if place == "config":
        packs.write_text('{"wired": {"claude": {"file": "zero", "events": {"PreToolUse": "x"}}}}')
        (user.repo / "zero").symlink_to("/dev/zero")
    else:
        packs.unlink()
        packs.symlink_to("/dev/zero")
    assert "not allowed" in user.call(user.repo).told


# --- nothing may break -----------------------------------------------------------------------


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff\xfe", b'{"hook_event_name": 3}'])
def test_input_that_is_no_payload_is_survived(allowed: User, raw: bytes) -> None:
    heard = allowed.call(raw=raw)
    assert heard.code == 0
    assert "Traceback" not in heard.stderr
    assert "broken" not in heard.stderr or "JSON" in heard.stderr or "input" in heard.stderr


def test_a_start_folder_that_is_gone_is_silence(allowed: User) -> None:
    heard = allowed.call(CLAUDE_PROJECT_DIR=str(allowed.repo / "gone"))
    assert (heard.answer, heard.stderr, heard.code) == ({}, "", 0)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"projects": []}', '{"projects": {"x": 1}}', "{"]
)
def test_a_list_that_does_not_read_allows_nothing(allowed: User, text: str) -> None:
    allowed.list.write_text(text)
    heard = allowed.call()
    assert (heard.ran, heard.code) == ([], 0)
    assert "not allowed" in heard.told


def test_an_entry_of_the_list_that_is_none_allows_nothing(allowed: User) -> None:
    allowed.list.write_text(f'{{"projects": {{"{allowed.repo}": {{"sha256": "../../x"}}}}}}')
    allowed.list.chmod(0o600)
    assert allowed.call().ran == []


def test_a_list_that_others_can_write_to_allows_nothing(allowed: User) -> None:
    allowed.list.chmod(0o666)
    heard = allowed.call()
    assert heard.ran == []
    assert "chmod 600" in heard.told


@pytest.mark.parametrize("python", pythons())
def test_every_python_from_3_8_on_runs_it(allowed: User, python: str) -> None:
    link = allowed.home / "cache/hookpm/python3"
    link.unlink()
    link.symlink_to(Path(python).resolve())
    assert allowed.call().refused


def test_nothing_is_written_into_the_project(allowed: User) -> None:
    before = allowed.world.tree()
    allowed.call()
    assert allowed.world.tree() == before


HEAVY = {"json", "re", "os", "typing", "hashlib", "_hashlib", "subprocess", "pathlib", "enum"}


@pytest.mark.parametrize("start", ["a project", "no project"])
def test_a_call_without_a_matching_hook_imports_nothing_that_costs(
    allowed: User, start: str
) -> None:
    folder = allowed.repo / "sub" if start == "a project" else allowed.world.base
    bridge = allowed.data / "bridge/bridge.py"
    payload = allowed.payload("claude", "Stop", "s", "", folder)
    for _ in range(2):  # the first compiles
        done = subprocess.run(
            [PYTHON, "-I", "-S", "-X", "importtime", bridge, "claude", "Stop", folder],
            input=json.dumps(payload),
            capture_output=True,
            text=True,
            check=True,
        )
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "hookpm.bridge.user" in imported
    assert not imported & HEAVY
    assert "hookpm.bridge.judge" not in imported
