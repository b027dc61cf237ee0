"""`hookpm init --user-bridge`: in, twice as once, and out without a trace."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hookpm.agents import user_line
from hookpm.errors import SystemFailureError
from hookpm.project.home import userbridge
from hookpm.project.writing import transaction
from tests.userbridge.rig import AGENTS, FILES, User

# What users have in these files; Claude Code reads strict JSON alone.
TEXTS = {
    "empty object": "{}",
    "compact": '{"model":"x","hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}',
    "tabs and no last newline": '{\n\t"model": "x",\n\t"permissions": {"deny": ["Read(./x)"]}\n}',
    "windows": '{\r\n  "model": "x"\r\n}\r\n',
    "byte order mark": '\ufeff{"a": 1}\n',
    "own hooks": '{\n "hooks": {\n  "PreToolUse": [ ],\n  "BeforeTool": []\n }\n}\n',
    "project's own line": None,
}


def settings(user: User, agent: str) -> Path:
    return user.home / FILES[agent]


def home(user: User) -> dict[str, bytes | str]:
    """All of the home but the cache."""
    tree = user.world.tree(user.home)
    return {path: what for path, what in tree.items() if not path.startswith("cache")}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", TEXTS)
def test_the_users_file_is_given_back_byte_for_byte(user: User, agent: str, kind: str) -> None:
    text = TEXTS[kind]
    if text is None:
        user.project(user.home, agent=agent)
    else:
        settings(user, agent).parent.mkdir()
        settings(user, agent).write_bytes(text.encode())
    before = home(user)
    user.bridge(agent)
    assert home(user) != before
    user.world.ok("init", "--user-bridge", "--remove", "--yes")
    assert home(user) == before


@pytest.mark.parametrize("agent", [agent.name for agent in userbridge.able()])
def test_where_nothing_was_nothing_stays(user: User, agent: str) -> None:
    before = home(user)
    user.bridge(agent)
    user.project()
    user.allow()
    done = user.world.ok("init", "--user-bridge", "--remove", "--yes")
    assert "1 allowed" in done.out
    assert home(user) == before


@pytest.mark.parametrize(
    "text", ["", "# mine", 'model = \'x\'\n\n[[hooks]]\nevent = "Stop"\ncommand = "true"\n']
)
def test_kimis_toml_is_given_back_byte_for_byte(user: User, text: str) -> None:
    file = user.home / ".kimi-code/config.toml"
    file.parent.mkdir()
    file.write_text(text)
    before = home(user)
    user.bridge("kimi")
    assert "hookpm" in file.read_text()
    user.world.ok("init", "--user-bridge", "--remove", "--yes")
    assert home(user) == before


def test_an_extension_of_pis_that_is_the_users_own_is_left_alone(user: User) -> None:
    file = user.home / ".pi/agent/extensions/hookpm.js"
    file.parent.mkdir(parents=True)
    file.write_text("// mine\n")
    assert user.world.run("init", "--user-bridge", "--agent=pi", "--yes").code == 1
    user.world.ok("init", "--user-bridge", "--remove", "--yes")
    assert file.read_text() == "// mine\n"


def test_what_the_user_wrote_in_between_stays(user: User) -> None:
    user.bridge("claude")
    file = settings(user, "claude")
    document = json.loads(file.read_text())
    file.write_text(json.dumps({"model": "mine", **document}))
    user.world.ok("init", "--user-bridge", "--remove", "--yes")
    assert json.loads(file.read_text())["model"] == "mine"
    assert "hookpm" not in file.read_text()


def test_installed_twice_it_is_there_once(user: User) -> None:
    user.bridge()
    before = user.world.stamped(user.home)
    user.bridge()
    after = user.world.stamped(user.home)
    assert {p: s for p, s in after.items() if "cache" not in p} == {
        p: s for p, s in before.items() if "cache" not in p
    }


def test_every_line_is_proved_by_a_canary(user: User) -> None:
    done = user.world.ok("init", "--user-bridge", "--agent=claude", "--json")
    (proof,) = done.json["verified"]
    assert proof["ok"], proof
    assert "PreToolUse" in proof["detail"]
    assert done.json["changed"] is True


def test_a_line_that_does_not_answer_is_said(user: User) -> None:
    user.bridge("claude")
    (user.data / "bridge/bridge/canary.py").write_text("raise ValueError\n")
    proofs = userbridge.prove(["claude"])
    assert [proof.ok for proof in proofs] == [False]
    user.bridge("claude")  # mends it, and proves it
    assert [proof.ok for proof in userbridge.prove(["claude"])] == [True]


def test_nothing_is_named_so_agents_on_path_get_it(user: User) -> None:
    done = user.world.run("init", "--user-bridge", "--yes")
    assert (done.code, "no agent was found" in done.err) == (3, True)
    (user.world.bin / "gemini").symlink_to("/bin/true")
    user.world.ok("init", "--user-bridge", "--yes")
    assert settings(user, "gemini").exists()
    assert not settings(user, "claude").exists()


def test_an_agent_that_needs_none_is_refused_by_name(user: User) -> None:
    done = user.world.run("init", "--user-bridge", "--agent=codex", "--yes")
    assert (done.code, "Codex" in done.err) == (2, True)


def test_one_agent_can_be_taken_out_alone(user: User) -> None:
    user.bridge("claude", "gemini")
    user.world.ok("init", "--user-bridge", "--remove", "--agent=gemini", "--yes")
    assert not settings(user, "gemini").exists()
    user.project()
    user.allow()
    assert user.call(agent="claude").refused


def test_a_dry_run_writes_nothing(user: User) -> None:
    before = home(user)
    done = user.world.ok("init", "--user-bridge", "--agent=claude", "--dry-run")
    assert "+++ b/.claude/settings.json" in done.out
    assert home(user) == before


def test_a_file_that_its_agent_would_drop_is_left_alone(user: User) -> None:
    settings(user, "claude").parent.mkdir()
    settings(user, "claude").write_text("{ // mine\n}")
    done = user.world.run("init", "--user-bridge", "--agent=claude", "--agent=gemini", "--yes")
    assert (done.code, "settings.json:1" in done.err) == (1, True)
    assert settings(user, "claude").read_text() == "{ // mine\n}"
    assert settings(user, "gemini").exists()


def test_another_config_folder_of_the_agent_is_said(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user.home / "elsewhere"))
    done = user.world.run("init", "--user-bridge", "--agent=claude", "--yes")
    assert (done.code, "CLAUDE_CONFIG_DIR" in done.err) == (1, True)
    assert not settings(user, "claude").exists()


def test_a_settings_file_that_is_a_link_stays_one(user: User) -> None:
    real = user.home / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("{}\n")
    settings(user, "claude").parent.mkdir()
    settings(user, "claude").symlink_to(real)
    user.bridge("claude")
    assert settings(user, "claude").is_symlink()
    assert "hookpm" in real.read_text()
    user.world.ok("init", "--user-bridge", "--remove", "--yes")
    assert real.read_text() == "{}\n"


def test_a_private_file_stays_private_and_so_do_ours(user: User) -> None:
    settings(user, "claude").parent.mkdir()
    settings(user, "claude").write_text('{"env": {"TOKEN": "x"}}')
    settings(user, "claude").chmod(0o600)
    user.bridge("claude", "gemini")
    user.project()
    user.allow()
    ours = [settings(user, "claude"), user.list, *user.data.rglob("*")]
    assert [path for path in ours if path.stat().st_mode & 0o077] == []


def test_what_cannot_be_written_leaves_the_record_as_it_was(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise SystemFailureError("no room")

    user.bridge("claude")
    before = (user.data / "user-bridge.lock").read_text()
    with monkeypatch.context() as patch:
        patch.setattr(transaction, "apply", fails)
        done = user.world.run("init", "--user-bridge", "--agent=gemini", "--yes")
    assert done.code == 3
    assert (user.data / "user-bridge.lock").read_text() == before


def test_an_older_form_of_the_line_is_replaced_and_a_users_own_is_not(user: User) -> None:
    today = user_line.present("claude", "Stop")
    older = today.replace("case $y in", "case  $y in")
    mine = "echo hookpm/bridge/bridge.py claude Stop"
    groups = [{"hooks": [{"type": "command", "command": c}]} for c in (older, mine)]
    settings(user, "claude").parent.mkdir()
    settings(user, "claude").write_text(json.dumps({"hooks": {"Stop": groups}}))
    user.bridge("claude")
    stop = json.loads(settings(user, "claude").read_text())["hooks"]["Stop"]
    assert [g["hooks"][0]["command"] for g in stop] == [today, mine]
    user.world.ok("init", "--user-bridge", "--remove", "--yes")
    assert mine in settings(user, "claude").read_text()


def test_a_half_removed_bridge_lets_every_call_through(user: User) -> None:
    user.bridge("claude")
    line = user.line("claude")
    user.project()
    user.allow()
    for gone in ("bridge/bridge/user.py", "bridge/bridge.py"):
        (user.data / gone).unlink()
        heard = user.call(line=line)
        assert (heard.code, heard.refused) == (0, False)


def test_a_relative_xdg_folder_never_makes_the_line_run_what_lies_in_a_clone(user: User) -> None:
    user.project()
    evil = user.repo / "sub/deep/data/hookpm/bridge/bridge.py"
    evil.parent.mkdir(parents=True)
    evil.write_text('print(\'{"systemMessage": "the clone ran"}\')')
    python = user.repo / "sub/deep/data/hookpm/python3"
    python.write_text('#!/bin/sh\necho \'{"systemMessage": "the clone ran"}\'\n')
    python.chmod(0o755)
    heard = user.call(XDG_DATA_HOME="data", XDG_CACHE_HOME="data")
    assert heard.answer == {}
    user.bridge("claude")
    heard = user.call(XDG_CACHE_HOME="data")
    assert "the clone ran" not in str(heard)


@pytest.mark.parametrize("agent", AGENTS)
def test_without_a_python_it_is_told_in_a_project_alone_where_the_agent_shows_it(
    user: User, agent: str
) -> None:
    from hookpm import agents

    user.project()
    user.bridge(agent)
    (user.home / "cache/hookpm/python3").unlink()
    path = str(user.world.base / "empty")
    heard = user.call(agent=agent, PATH=path)
    assert heard.code == 0
    tells = agents.load(agent).wiring.FORM.tells
    assert ("python3" in str(heard.answer.get("systemMessage"))) is tells
    outside = user.world.base
    assert user.call(outside, agent=agent, PATH=path).answer == {}


def test_the_lines_shells_agree(user: User) -> None:
    """dash, bash and whatever else is here run the same line."""
    user.project()
    user.bridge("claude")
    user.allow()
    for shell in ("dash", "bash", "zsh", "busybox"):
        if any(os.access(Path(folder, shell), os.X_OK) for folder in ("/bin", "/usr/bin")):
            shell += " sh" if shell == "busybox" else ""
            line = f"exec /usr/bin/env {shell} -c '{user.line('claude')}'"
            assert user.call(line=line, PATH="/usr/bin:/bin").refused, shell


# --- init of a project -----------------------------------------------------------------------


def test_init_makes_a_hookpm_toml_with_the_agents_in_use_and_says_so_once(user: User) -> None:
    user.world.write(".claude/settings.json", "{}")
    user.world.ok("init")
    text = user.world.read(".agents/hookpm.toml")
    assert 'agents = ["claude"]' in text
    assert "[packs]" in text
    assert "there already" in user.world.ok("init").out
    user.world.ok("install", "watch", "--yes")
    user.world.ok("uninstall", "watch", "--yes")
    assert user.world.read(".agents/hookpm.toml") == text


def test_init_in_a_bare_folder_needs_no_agent(user: User) -> None:
    user.world.ok("init", "--json")
    assert "agents = []" in user.world.read(".agents/hookpm.toml")


def test_remove_without_user_bridge_is_refused(user: User) -> None:
    assert user.world.run("init", "--remove").code == 2
