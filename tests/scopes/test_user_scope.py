"""`--user`: the packs in the home folder, in every project of this user."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hookpm.agents import home_line, shell_line, user_line
from tests.scopes.rig import ALL, OWN, home, install, line, write_own
from tests.userbridge.rig import User

# --- what is written, and taken back ---------------------------------------------------------


@pytest.mark.parametrize("own", [True, False])
def test_the_home_is_given_back_byte_for_byte(user: User, own: bool) -> None:
    if own:
        write_own(user)
    before = home(user)
    done = install(user)
    assert done.code == 0, done.text
    assert done.out.count("proved: the canary was answered") == len(ALL)
    for path, text in OWN.items() if own else ():
        kept = (user.home / path).read_bytes().decode()
        assert kept == text or "hookpm/bridge.py" in kept
    assert user.world.ok("status", "--user").out.endswith("state: ok\n")
    assert user.world.ok("sync", "--user").out.endswith("nothing to change\n")
    user.world.ok("uninstall", "watch", "--user", "--yes")
    assert home(user) == before


def test_nothing_of_the_project_that_one_stands_in_is_touched(user: User) -> None:
    before = user.world.tree()
    assert install(user, "claude", "codex").code == 0
    assert user.world.tree() == before
    assert user.world.git("status", "--porcelain") == ""


def test_it_has_the_layout_of_a_project(user: User) -> None:
    install(user, "claude")
    agents = user.home / ".agents"
    assert {p.name for p in agents.iterdir()} == {
        "hookpm",
        "hookpm.lock",
        "hookpm.toml",
        "hooks.json",
    }
    assert 'scope = "user"' in (agents / "hookpm.lock").read_text()


def test_without_agent_names_it_takes_those_this_user_has(user: User) -> None:
    (user.home / ".claude").mkdir()
    (user.home / ".copilot").mkdir()
    (user.world.bin / "codex").symlink_to("/bin/true")
    done = user.world.ok("install", "watch", "--user", "--yes")
    assert "found claude (~/.claude)" in done.out
    assert "found codex (codex on PATH)" in done.out
    assert "found copilot" in done.out
    assert "found vscode" not in done.out


def test_every_command_about_packs_takes_it(user: User) -> None:
    install(user, "claude")
    for command in ("list", "status", "verify", "doctor", "audit", "sync"):
        done = user.world.run(command, "--user", "--json")
        assert done.code == 0, (command, done.text)
    assert user.world.ok("list", "--user").out == "watch 1.0.0 from embedded (1 hook)\n"
    assert "no packs" in user.world.ok("list").err
    for name in ("init", "migrate"):
        refused = user.world.run(name, "--user")
        assert refused.code == 2, refused.text
    assert user.world.run("list", "--user", "--root", ".").code == 2


def test_what_is_wrong_is_mended_by_a_command_with_user(user: User) -> None:
    install(user, "claude", "kimi")
    (user.home / ".agents/hookpm/bridge/main.py").unlink()
    (user.home / ".kimi-code/config.toml").write_text("")
    done = user.world.run("status", "--user")
    assert done.code == 1
    fixes = [part for part in done.out.splitlines() if part.startswith("  fix:")]
    assert fixes
    assert all("hookpm sync --user" in fix for fix in fixes), fixes
    user.world.ok("sync", "--user")
    user.world.ok("status", "--user")


def test_lines_that_an_uninstall_left_in_the_home_are_found_and_taken_out(user: User) -> None:
    install(user, "claude", "pi")
    shutil.rmtree(user.home / ".agents")
    assert "left-over" in user.world.run("status", "--user", "--json").out
    user.world.ok("sync", "--user")
    left = [path for path, what in home(user).items() if b"hookpm" in str(what).encode()]
    assert left == []


# --- what it does ----------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "qwen", "droid", "kimi"])
def test_a_guard_holds_in_every_project_and_in_every_folder_of_it(user: User, agent: str) -> None:
    install(user, agent)
    plain = user.world.base / "no checkout"
    (user.repo / "sub").mkdir()
    plain.mkdir()
    for start in (user.repo, user.repo / "sub", plain, user.home, user.home / ".agents"):
        heard = user.call(start, agent=agent, line=line(agent))
        assert heard.refused or "not the secret one" in heard.stderr, (start, heard)
        assert not user.call(start, "ls", agent=agent, line=line(agent)).refused


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_the_hooks_know_the_agents_project(user: User, agent: str) -> None:
    """By its variable; of an agent without one it is the checkout."""
    install(user, agent)
    start = user.repo / "sub"
    start.mkdir()
    heard = user.call(start, agent=agent, line=line(agent))
    assert heard.ran == [str(start if agent == "claude" else user.repo)]
    loose = user.home / "notes"
    loose.mkdir()
    (user.home / ".git").mkdir()  # dotfiles: no checkout of what lies below
    assert user.call(loose, agent=agent, line=line(agent)).ran == [str(loose)]


def test_hooks_run_where_the_agent_runs_them(user: User) -> None:
    hook = 'import os, sys\nprint(os.getcwd(), os.environ["HOOKPM_PACK_DIR"], file=sys.stderr)\n'
    user.world.publish(user.world.pack("where", files={"guard.py": f"{hook}sys.exit(2)\n"}))
    user.world.ok("install", "where", "--user", "--yes", "--agent=claude")
    at = user.repo / "sub"
    at.mkdir()
    heard = user.call(user.repo, cwd=at, line=line("claude"))
    pack = user.home / ".agents/hookpm/packs/where"
    assert f"{at} {pack}" in json.dumps(heard.answer)


def test_an_agent_that_starts_the_users_hooks_elsewhere_has_them_run_in_the_project(
    user: User,
) -> None:
    hook = "import os, sys\nprint(os.getcwd(), file=sys.stderr)\nsys.exit(2)\n"
    user.world.publish(user.world.pack("where", files={"guard.py": hook}))
    for agent in ("cursor", "antigravity"):
        user.world.ok("install", "where", "--user", "--yes", f"--agent={agent}")
        heard = user.call(user.repo, agent=agent, cwd=user.home, line=line(agent))
        assert str(user.repo) in json.dumps(heard.answer) + heard.stderr, (agent, heard)


def test_the_bridge_is_found_by_home_and_never_in_the_project(user: User) -> None:
    install(user, "claude", "codex")
    planted = user.repo / ".agents/hookpm/bridge.py"
    planted.parent.mkdir(parents=True)
    planted.write_text("print('planted')\n")
    for agent in ("claude", "codex"):
        assert user.call(user.repo, agent=agent, line=line(agent)).refused
        for nowhere in (None, "", ".", "repo"):
            heard = user.call(user.repo, agent=agent, line=line(agent), HOME=nowhere)
            assert (heard.answer, heard.code, heard.ran) == ({}, 0, []), nowhere


def test_a_pack_of_project_and_user_runs_twice_and_a_denial_of_either_holds(user: User) -> None:
    user.project(agent="claude")
    install(user, "claude")
    ours, theirs = line("claude"), shell_line.present("claude", "PreToolUse")
    assert user.call(user.repo, line=ours).refused
    assert user.call(user.repo, line=theirs).refused
    assert user.ran.read_text().splitlines() == [str(user.repo)] * 2
    user.world.ok("uninstall", "watch", "--yes")
    assert user.call(user.repo, line=ours).refused
    user.project(agent="claude")
    user.world.ok("uninstall", "watch", "--user", "--yes")
    assert user.call(user.repo, line=theirs).refused


def test_what_is_remembered_of_a_session_is_not_shared_with_the_project(user: User) -> None:
    """A cap on stop blocks counts for each by itself."""
    stop = '[[hooks]]\nid = "on"\nevent = "Stop"\ncommand = "echo go on >&2; exit 2"\n'
    user.world.publish(user.world.pack("on", hooks=stop))
    user.world.ok("install", "on", "--yes", "--agent=codex")
    user.world.ok("install", "on", "--user", "--yes", "--agent=codex")
    theirs = shell_line.present("codex", "Stop")
    for _ in range(8):
        heard = user.call(user.repo, agent="codex", event="Stop", line=theirs)
        assert heard.answer.get("decision") == "block"
    heard = user.call(user.repo, agent="codex", event="Stop", line=line("codex", "Stop"))
    assert heard.answer.get("decision") == "block"


def test_claudes_line_run_by_cursor_stands_down_where_cursor_is_wired_in_the_home(
    user: User,
) -> None:
    install(user, "claude")
    payload = json.dumps(user.payload("cursor", "PreToolUse", "s", "cat secret", user.repo))
    heard = user.call(user.repo, line=line("claude"), raw=payload.encode())
    assert heard.answer.get("permission") == "deny"
    install(user, "claude", "cursor")
    heard = user.call(user.repo, line=line("claude"), raw=payload.encode())
    assert heard.answer == {}


# --- where the home is a project, and where an agent's folder is moved -----------------------


def test_the_home_folder_is_no_project_but_for_user_scope(user: User) -> None:
    refused = user.world.run("install", "watch", "--agent=claude", cwd=user.home)
    assert refused.code == 1
    assert "--user" in refused.err
    assert home(user) == {}
    install(user, "claude")
    for command in (("sync",), ("install", "guard"), ("uninstall", "watch"), ("init",)):
        assert user.world.run(*command, cwd=user.home).code == 1
    for name in ("status", "list", "agents", "audit"):  # those that only look
        done = user.world.ok(name, cwd=user.home)
        assert "user scope" in done.err
    assert "watch 1.0.0" in user.world.ok("list", cwd=user.home).out
    below = user.home / "notes"
    below.mkdir()
    (user.home / ".git").mkdir()
    assert "no packs" in user.world.ok("list", cwd=below).err


def test_a_home_that_holds_a_projects_packs_is_not_taken_for_the_users(user: User) -> None:
    user.project(user.home, agent="claude")
    before = home(user)
    refused = install(user, "claude")
    assert refused.code == 1
    assert "project scope" in refused.err
    assert home(user) == before
    user.world.ok("status", cwd=user.home)


def test_dotfiles_that_git_ignores_are_as_good(user: User) -> None:
    user.world.git("init", "-q", cwd=user.home)
    (user.home / ".gitignore").write_text("*\n")
    assert install(user, "claude").code == 0
    user.world.ok("status", "--user")


def test_the_user_bridge_does_not_take_the_home_for_a_project(user: User) -> None:
    install(user, "claude")
    user.bridge("claude")
    heard = user.call(user.home, "ls")
    assert (heard.answer, heard.stderr) == ({}, "")
    refused = user.world.run("allow", user.home, "--yes")
    assert refused.code == 3, refused.text


MOVED = {
    "claude": ("CLAUDE_CONFIG_DIR", "settings.json"),
    "codex": ("CODEX_HOME", "hooks.json"),
    "qwen": ("QWEN_HOME", "settings.json"),
    "gemini": ("GEMINI_CLI_HOME", ".gemini/settings.json"),
    "copilot": ("COPILOT_HOME", "hooks/hookpm.json"),
    "kimi": ("KIMI_CODE_HOME", "config.toml"),
    "cline": ("CLINE_DIR", "hooks/PreToolUse.bash"),
    "pi": ("PI_CODING_AGENT_DIR", "extensions/hookpm-user.js"),
    "opencode": ("XDG_CONFIG_HOME", "opencode/plugins/hookpm.js"),
}


@pytest.mark.parametrize("agent", MOVED)
def test_an_agent_whose_folder_is_moved_below_the_home_is_wired_there(
    user: User, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    before = home(user)
    assert install(user, agent).code == 0
    usual = set(home(user))
    variable, file = MOVED[agent]
    monkeypatch.setenv(variable, str(user.home / "moved here"))
    user.world.ok("sync", "--user")
    assert (user.home / "moved here" / file).is_file()
    gone = {path for path in usual - set(home(user)) if not path.startswith(".agents")}
    assert gone, "nothing of the former place is gone"
    user.world.ok("verify", "--user")
    monkeypatch.delenv(variable)
    user.world.ok("uninstall", "watch", "--user", "--yes")
    assert home(user) == before


@pytest.mark.parametrize("where", ["elsewhere", "relative"])
def test_an_agent_whose_folder_is_outside_of_the_home_is_named_and_not_wired(
    user: User, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = "some/where" if where == "relative" else str(user.world.base / "elsewhere")
    monkeypatch.setenv("CODEX_HOME", value)
    done = install(user, "claude", "codex")
    assert done.code == 1
    assert "codex is not wired" in done.err
    assert "CODEX_HOME" in done.err
    assert not (user.home / ".codex").exists()
    assert user.call(user.repo, line=line("claude")).refused


def test_a_config_that_is_a_link_within_the_home_keeps_its_link(user: User) -> None:
    real = user.home / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("{}\n")
    file = user.home / ".claude/settings.json"
    file.parent.mkdir()
    file.symlink_to(real)
    before = home(user)
    assert install(user, "claude").code == 0
    assert file.is_symlink()
    assert home_line.present("claude", "PreToolUse")[:30] in real.read_text().replace('\\"', '"')
    user.world.ok("uninstall", "watch", "--user", "--yes")
    assert home(user) == before


# --- beside the user bridge ------------------------------------------------------------------


BOTH = ("antigravity", "claude", "gemini", "kimi", "pi", "qwen")


@pytest.mark.parametrize("agent", BOTH)
@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("first", ["bridge", "scope"])
@pytest.mark.parametrize("leaves", ["bridge", "scope"])
def test_beside_the_user_bridge_each_takes_out_its_own_and_the_last_leaves_no_trace(
    user: User, agent: str, own: bool, first: str, leaves: str
) -> None:
    if own:
        write_own(user)
    before = home(user)

    def both(*order: str) -> None:
        for each in order:
            user.bridge(agent) if each == "bridge" else install(user, agent)

    def remove(each: str) -> None:
        if each == "bridge":
            user.world.ok("init", "--user-bridge", "--remove", "--yes")
        else:
            user.world.ok("uninstall", "watch", "--user", "--yes")

    other = {"bridge": "scope", "scope": "bridge"}
    both(first, other[first])
    assert lines(user) >= {"bridge", "scope"}
    user.world.ok("status", "--user")
    remove(leaves)
    assert lines(user) == {other[leaves]}
    if leaves == "bridge":
        user.world.ok("status", "--user")
    remove(other[leaves])
    assert home(user) == before


def lines(user: User) -> set[str]:
    """Whose lines are in the agents' files of the home."""
    found = set()
    for path, what in home(user).items():
        if path.startswith((".agents", "data")) or not isinstance(what, bytes):
            continue
        text = what.decode().replace("\\", "")
        for name, kind in (("bridge", user_line.KIND), ("scope", home_line.KIND)):
            if f'b="{kind.bridge}"' in text:
                found.add(name)
    return found


@pytest.mark.parametrize("agent", ALL)
def test_no_line_is_taken_for_one_of_another_kind(agent: str) -> None:
    readers: dict[str, Callable[[str], object]] = {
        "project": shell_line.read,
        "bridge": user_line.read,
        "home": home_line.read,
    }
    texts = {
        "project": shell_line.present(agent, "Stop"),
        "bridge": user_line.present(agent, "Stop"),
        "home": home_line.present(agent, "Stop"),
    }
    for kind, read in readers.items():
        for other, text in texts.items():
            assert (read(text) is not None) == (kind == other), (kind, other)
    older = texts["home"].replace(" && [ -x", " &&  [ -x")
    assert home_line.read(older) == (agent, "Stop", False)
    assert home_line.read(f"{texts['home']}; true") is None
    assert home_line.read(f"true; {texts['home']}") is None


def test_a_project_without_any_home_is_installed_all_the_same(
    user: User, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(variable)
    for command in (("install", "watch", "--agent=claude", "--yes"), ("status",), ("verify",)):
        user.world.ok(*command)
    assert user.world.run("list", "--user").code == 3


# --- what is said ----------------------------------------------------------------------------


def test_every_hint_names_the_command_for_the_home(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", "relative")
    done = install(user, "codex", "claude")
    assert "run `hookpm sync --user`" in done.err
    user.world.ok("uninstall", "watch", "--user", "--yes")
    refused = user.world.run("sync", "--user", "--yes")
    assert refused.code == 3
    assert "`hookpm install PACK --user`" in refused.err


def test_a_hint_about_options_stays_as_it_is(user: User) -> None:
    done = user.world.run("install", "watch", "--user", "--nonsense")
    assert "`hookpm install --help` shows" in done.err


def test_a_line_of_the_users_that_gemini_was_told_to_leave_out_is_named(user: User) -> None:
    file = user.home / ".gemini/settings.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"hooksConfig": {"disabled": [line("gemini")]}}))
    done = install(user, "gemini")
    assert done.code == 1
    assert "hooksConfig.disabled names hookpm's line for PreToolUse" in done.err


def test_the_documents_say_the_scope(user: User) -> None:
    assert install(user, "claude", more=("--json",)).json["scope"] == "user"
    assert user.world.ok("status", "--user", "--json").json["scope"] == "user"
    assert user.world.ok("status", "--json").json["scope"] == "project"


def test_only_agents_that_no_scope_can_wire_are_named_as_out_of_reach(user: User) -> None:
    for command in ("kimi", "claude", "crush"):
        (user.world.bin / command).symlink_to("/bin/true")
    done = user.world.ok("install", "watch", "--user", "--yes")
    assert "found kimi" in done.out
    assert "note: kimi" not in done.err
    assert "note: crush is in use here too" in done.err


def test_the_doctor_looks_at_codexs_approval_of_the_users_own_file(user: User) -> None:
    """Trust in a folder has nothing to do with it."""
    install(user, "codex", "claude")
    (user.home / ".codex/config.toml").write_text("")
    done = user.world.run("doctor", "--user", "--json")
    codes = {(p["code"], p["agent"]) for p in done.json["problems"]}
    assert ("not-approved", "codex") in codes
    assert not [code for code, _ in codes if code == "not-trusted"]
    (user.home / ".codex/config.toml").write_text("[features]\nhooks = false\n")
    done = user.world.run("doctor", "--user", "--json")
    assert {p["code"] for p in done.json["problems"]} >= {"switched-off"}


def test_an_update_of_the_users_packs_takes_the_option(user: User) -> None:
    install(user, "claude")
    user.world.publish(user.world.pack("watch", "1.1.0"))
    user.world.ok("update", "--user", "--yes")
    assert "watch 1.1.0" in user.world.ok("list", "--user").out
    user.world.ok("verify", "--user")
