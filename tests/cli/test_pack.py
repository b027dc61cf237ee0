from __future__ import annotations

import hashlib
import os
import shlex
from pathlib import Path

import pytest

from hookpm.agents import names
from hookpm.packs import archive
from tests.project.world import HOOK, World

CASES = """\
[[case]]
name = "denies a secret"
event = "PreToolUse"
tool = "Edit"
input = { file_path = ".env" }
expect = "deny"
reason = "secret"

[[case]]
name = "is silent on the rest"
event = "PreToolUse"
tool = "Edit"
input = { file_path = "a.txt" }
expect = "none"
"""
ASKER = """\
import json, os, sys
call = json.load(sys.stdin)
options = json.loads(os.environ["HOOKPM_OPTIONS"])
if options["word"] in json.dumps(call["tool_input"]):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse",
        "permissionDecision": "ask", "permissionDecisionReason": "sure?"}}))
"""


def make(world: World, cases: str, **more: str) -> Path:
    return world.pack("cased", files={"cases/all.toml": cases}, **more)  # type: ignore[arg-type]


# --- new -------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["python", "sh"])
def test_a_new_pack_can_be_tested_built_and_installed(world: World, lang: str) -> None:
    done = world.ok("pack", "new", "no-force", "--lang", lang, "--to", "hooks", "--json").json
    assert done["folder"] == "hooks/no-force"
    assert "hookpack.toml" in done["files"]
    world.ok("pack", "test", "hooks/no-force")
    world.ok("pack", "build", "hooks/no-force", "--to", world.base)
    world.install("./hooks/no-force")
    assert world.ok("list", "--json").json["packs"][0]["version"] == "0.1.0"


@pytest.mark.parametrize("to", ["", "my hooks", "../beside"])
def test_what_is_to_be_done_next_can_be_pasted(world: World, to: str) -> None:
    done = world.ok("pack", "new", "mine", *(("--to", to) if to else ()), "--json").json
    check, test, install = (shlex.split(line) for line in done["next"])
    world.ok(*check[1:])
    world.ok(*test[1:])
    world.ok(*install[1:], "--agent=claude")


def test_a_new_pack_takes_the_place_of_nothing(world: World) -> None:
    world.ok("pack", "new", "mine")
    before = world.stamped()
    done = world.run("pack", "new", "mine", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "refused")
    assert world.stamped() == before


# --- test ------------------------------------------------------------------------------------


def test_cases_that_hold_pass(world: World) -> None:
    done = world.ok("pack", "test", make(world, CASES))
    assert "cased 1.0.0: 2 passed, 0 failed" in done.out
    for name in names():
        assert f"in {name}: 1 deny hold" in done.out


@pytest.mark.parametrize(
    ("was", "becomes", "words"),
    [
        ('expect = "deny"', 'expect = "ask"', "expected ask, got deny: a secret file"),
        ('reason = "secret"', 'reason = "private"', "the reason lacks 'private'"),
        ('".env"', '"a.env.txt.b"', None),
        ('file_path = "a.txt"', 'file_path = ".env"', "expected none, got deny"),
    ],
)
def test_a_case_that_does_not_hold_is_named_by_file_and_line(
    world: World, was: str, becomes: str, words: str | None
) -> None:
    pack = make(world, CASES.replace(was, becomes))
    done = world.run("pack", "test", pack)
    if words is None:
        assert done.code == 0, done.text
        return
    assert done.code == 1
    line = 9 if "a.txt" in was else 1
    assert f"FAILED {pack}/cases/all.toml:{line}: " in done.out
    assert words in done.out
    assert "1 passed, 1 failed" in done.out


@pytest.mark.parametrize("guard", ["import nothing_like_it", "raise SystemExit(3)"])
def test_a_hook_that_fails_is_no_silent_hook(world: World, guard: str) -> None:
    cases = CASES[CASES.index('[[case]]\nname = "is silent') :]
    pack = world.pack("cased", files={"cases/all.toml": cases, "guard.py": guard})
    done = world.run("pack", "test", pack)
    assert done.code == 1, done.text
    assert "failed and allows" in done.out


def test_each_case_has_its_own_options_and_an_agent_without_ask_denies_by_fallback(
    world: World,
) -> None:
    hooks = HOOK.replace('["deny"]', '["deny"]\nuses = ["ask"]\nfallback = { ask = "deny" }')
    case = (
        '[[case]]\nname = "{0}"\nevent = "PreToolUse"\ntool = "Bash"\n'
        'input = {{ command = "{0}" }}\nexpect = "ask"\noptions = {{ word = "{0}" }}\n\n'
    )
    pack = world.pack(
        "asker",
        hooks=hooks,
        more='[options.word]\ntype = "str"\ndefault = "none"\n',
        files={"guard.py": ASKER, "cases/a.toml": case.format("one") + case.format("two")},
    )
    done = world.ok("pack", "test", pack, "--json")
    assert (done.json["passed"], done.json["failed"]) == (2, 0)
    becomes = done.json["cases"][0]["agents"]
    assert becomes["claude"] == "holds"
    assert becomes["codex"] == "deny"
    said = world.ok("pack", "test", pack).out
    assert "in codex: 2 ask denied instead" in said


def test_an_outcome_that_an_agent_drops_without_a_fallback_is_lost(world: World) -> None:
    hooks = HOOK.replace('["deny"]', '["ask"]')
    pack = world.pack(
        "asker",
        hooks=hooks,
        files={
            "guard.py": ASKER.replace('options["word"]', '"x"'),
            "cases/a.toml": '[[case]]\nname = "x"\nevent = "PreToolUse"\ntool = "Bash"\n'
            'input = { command = "x" }\nexpect = "ask"\n',
        },
    )
    done = world.ok("pack", "test", pack, "--json").json
    assert done["cases"][0]["agents"]["codex"] == "lost"
    assert {"agent", "outcomes"} == set(done["agents"][0])


def test_a_test_leaves_nothing_behind(world: World) -> None:
    pack = make(world, CASES)
    before = world.stamped(world.base)
    own = world.base / "tmp"
    own.mkdir()
    world.patch.setattr("tempfile.tempdir", str(own))
    world.ok("pack", "test", pack)
    assert list(own.iterdir()) == []
    own.rmdir()
    assert world.stamped(world.base) == before


def test_a_pack_without_cases_is_told_where_they_go(world: World) -> None:
    done = world.ok("pack", "test", world.pack("bare"))
    assert "cases/*.toml" in done.err
    assert "0 passed, 0 failed" in done.out


def test_a_broken_case_is_named_by_file_and_line(world: World) -> None:
    done = world.run("pack", "test", make(world, CASES.replace('expect = "none"', 'expct = "x"')))
    assert done.code == 3
    assert "cases/all.toml:14" in done.err or "cases/all.toml:9" in done.err
    assert "expct" in done.err


# --- build and publish -----------------------------------------------------------------------


def test_a_build_gives_the_same_bytes_everywhere_and_prints_their_hash(world: World) -> None:
    pack = world.pack("guard", "3.0.0")
    first = world.ok("pack", "build", pack, "--to", world.base / "one")
    copy = world.pack("guard", "3.0.0", at=world.base / "elsewhere")
    os.utime(copy / "guard.py", (1, 1))
    second = world.ok("pack", "build", copy, "--to", world.base / "two", "--json").json
    data = (world.base / "one/guard-3.0.0.tar.gz").read_bytes()
    assert data == Path(second["archive"]).read_bytes()
    assert second["sha256"] == hashlib.sha256(data).hexdigest()
    assert f"sha256 {second['sha256']}" in first.out
    assert archive.unpack(data, "x").manifest.version == "3.0.0"


def test_what_was_published_can_be_installed(world: World) -> None:
    registry = world.base / "registry"
    done = world.ok(
        "pack", "publish", world.pack("own"), world.pack("own", "1.1"), "--to", registry
    )
    assert "published own 1.0.0" in done.out
    assert "published own 1.1" in done.out
    world.write(
        ".agents/hookpm.toml", f'agents = ["claude"]\n[packs]\n[registries]\nhouse = "{registry}"\n'
    )
    world.ok("install", "own")
    assert world.ok("list", "--json").json["packs"][0]["version"] == "1.1"
    again = world.ok("pack", "publish", world.packs / "own-1.1", "--to", registry, "--json").json
    assert (again["changed"], again["published"]) == (False, [])


def test_a_published_version_does_not_change(world: World) -> None:
    registry = world.base / "registry"
    pack = world.pack("own")
    world.ok("pack", "publish", pack, "--to", registry)
    (pack / "guard.py").write_text("pass\n")
    before = world.stamped(registry)
    done = world.run("pack", "publish", pack, "--to", registry, "--json")
    assert done.code == 1
    assert "with other files" in done.json["error"]["message"]
    assert world.stamped(registry) == before


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        ((), 2, "test, build, publish"),
        (("new",), 2, "NAME"),
        (("new", "My_Pack"), 2, "did you mean my-pack?"),
        (("new", "-x"), 2, "NAME"),
        (("new", "con"), 2, "Windows keeps it"),
        (("new", "../x"), 2, "lowercase letters"),
        (("new", "x", "--lang", "bash"), 2, "did you mean sh?"),
        (("new", "x", "--lang", "perl"), 2, "python and sh"),
        (("new", "x", "--event", "preToolUse"), 2, "did you mean PreToolUse?"),
        (("new", "x", "--event", "TaskCreated"), 2, "Claude Code's only"),
        (("new", "x", "--description", "a\nb"), 2, "one line"),
        (("tset", "x"), 2, "unknown command tset"),
        (("test",), 2, "PACK"),
        (("check",), 2, "PACK"),
        (("check", "nowhere"), 3, "nowhere"),
        (("test", "nowhere"), 3, "nowhere"),
        (("build", "nowhere"), 3, "nowhere"),
        (("publish", "nowhere"), 2, "--to"),
    ],
)
def test_a_wrong_use_is_said_in_one_message(
    world: World, arguments: tuple[str, ...], code: int, word: str
) -> None:
    done = world.run("pack", *arguments)
    assert done.code == code, done.text
    assert word in done.err
    assert done.err.count("error: ") == 1


# --- check -----------------------------------------------------------------------------------


def test_a_pack_that_is_right_is_told_so(world: World) -> None:
    done = world.ok("pack", "check", world.pack("own"))
    assert done.out.endswith("nothing found\n")
    assert world.ok("pack", "check", world.packs / "own-1.0.0", "--json").json["findings"] == []


def test_a_finding_says_place_text_and_form_and_ends_with_1(world: World) -> None:
    pack = world.pack("own", hooks=HOOK.replace("guard.py", "guard.sh"))
    (pack / "guard.sh").write_text('#!/bin/sh\necho "not allowed" >&2\nexit 1\n')
    (pack / "guard.sh").chmod(0o755)
    done = world.run("pack", "check", pack)
    assert done.code == 1
    assert f"{pack}/guard.sh:3: error: exit 1 is a failure" in done.out
    assert "  found: exit 1\n  works: exit 2" in done.out
    assert done.out.endswith(": 2 errors, 0 warnings\n")  # it also never denies
    found = world.run("pack", "check", pack, "--json").json["findings"]
    assert {"code", "severity", "file", "line", "text", "message", "form"} == set(found[0])
    assert (found[0]["code"], found[0]["line"]) == ("exit-1", 3)


def test_a_check_runs_and_writes_nothing(world: World) -> None:
    pack = world.pack("own", files={"guard.py": "open('made', 'w')\n"})
    before = world.stamped(world.base)
    world.run("pack", "check", pack)
    assert world.stamped(world.base) == before


# --- yank ------------------------------------------------------------------------------------


@pytest.fixture
def house(world: World) -> Path:
    """A registry of the project with own 1.0.0 and 1.1."""
    registry = world.base / "registry"
    world.ok("pack", "publish", world.pack("own"), world.pack("own", "1.1"), "--to", registry)
    world.write(
        ".agents/hookpm.toml", f'agents = ["claude"]\n[packs]\n[registries]\nhouse = "{registry}"\n'
    )
    return registry


def test_a_withdrawn_version_is_not_chosen_anew(world: World, house: Path) -> None:
    done = world.ok("pack", "yank", "own", "1.1", "--to", house, "--json").json
    assert (done["changed"], done["yanked"]) == (True, True)
    world.ok("install", "own")
    assert world.ok("list", "--json").json["packs"][0]["version"] == "1.0.0"
    again = world.ok("pack", "yank", "own", "1.1", "--to", house)
    assert "withdrawn already" in again.out


def test_it_still_installs_where_it_is_locked_or_pinned_and_that_is_said(
    world: World, house: Path
) -> None:
    world.ok("install", "own")
    world.ok("pack", "yank", "own", "1.1", "--to", house, "--reason", "too strict")
    note = "own 1.1 was withdrawn: too strict"
    assert note in world.ok("sync").text
    assert world.ok("list", "--json").json["packs"][0]["version"] == "1.1"
    world.ok("uninstall", "own")
    world.write(
        ".agents/hookpm.toml", f'agents = ["claude"]\n[packs]\n[registries]\nhouse = "{house}"\n'
    )
    assert note in world.ok("install", "own==1.1").text
    world.ok("pack", "yank", "own", "1.1", "--to", house, "--undo")
    assert "withdrawn" not in world.ok("sync").text


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("own", "1.1"), 2, "--to"),
        (("own", "x", "--to", "here"), 2, "PEP 440"),
        (("Own", "1.1", "--to", "here"), 2, "lowercase"),
        (("own", "1.1", "--to", "here", "--undo", "--reason", "x"), 2, "--reason"),
        (("own", "1.1", "--to", "nowhere"), 3, "no registry"),
    ],
)
def test_a_wrong_yank_is_said_in_one_message(
    world: World, arguments: tuple[str, ...], code: int, word: str
) -> None:
    done = world.run("pack", "yank", *arguments)
    assert done.code == code, done.text
    assert word in done.err
    assert done.err.count("error: ") == 1


# --- through every agent ---------------------------------------------------------------------


def test_cases_go_through_the_translation_of_every_agent(world: World) -> None:
    world.ok("pack", "new", "mine", "--lang", "sh")
    done = world.ok("pack", "test", "mine", "--agent", "all")
    assert "2 passed, 0 failed" in done.out


def test_a_case_that_holds_in_claude_code_alone_fails_in_the_agent_that_is_named(
    world: World,
) -> None:
    guard = (
        "import json, sys\ncall = json.load(sys.stdin)\n"
        'if call["harness"] == "claude":\n    sys.stderr.write("no")\n    sys.exit(2)\n'
    )
    cases = CASES[: CASES.index('[[case]]\nname = "is silent')].replace('reason = "secret"\n', "")
    pack = world.pack("cased", files={"cases/all.toml": cases, "guard.py": guard})
    world.ok("pack", "test", pack)
    world.ok("pack", "test", pack, "--agent=claude")
    done = world.run("pack", "test", pack, "--agent=gemini")
    assert done.code == 1
    assert "in gemini: expected deny, got none" in done.out


def test_where_an_agent_drops_an_answer_its_fallback_is_what_has_to_come(world: World) -> None:
    hooks = HOOK.replace('["deny"]', '["deny"]\nuses = ["ask"]\nfallback = { ask = "deny" }')
    case = (
        '[[case]]\nname = "asks"\nevent = "PreToolUse"\ntool = "Bash"\n'
        'input = { command = "none" }\nexpect = "ask"\n'
    )
    more = '[options.word]\ntype = "str"\ndefault = "none"\n'
    files = {"guard.py": ASKER, "cases/a.toml": case}
    pack = world.pack("asker", hooks=hooks, more=more, files=files)
    world.ok("pack", "test", pack, "--agent=codex", "--agent=claude", "--agent=cline")


def test_a_call_that_an_agent_cannot_make_is_no_fault_of_the_pack(world: World) -> None:
    guard = (
        "import json, sys\ncall = json.load(sys.stdin)\n"
        'if call["tool_input"].get("path") == ".ssh":\n'
        '    sys.stderr.write("no")\n    sys.exit(2)\n'
    )
    case = (
        '[[case]]\nname = "a search"\nevent = "PreToolUse"\ntool = "Grep"\n'
        'input = { pattern = "x", path = ".ssh" }\nexpect = "deny"\n'
    )
    hooks = HOOK.replace("Read|", "Grep|Read|")
    pack = world.pack("cased", hooks=hooks, files={"cases/a.toml": case, "guard.py": guard})
    world.ok("pack", "test", pack, "--agent=cline", "--agent=gemini")


def test_nothing_is_told_of_an_agent_that_no_hook_of_the_case_is_for(world: World) -> None:
    folder = make(world, CASES)
    manifest = folder / "hookpack.toml"
    manifest.write_text(manifest.read_text() + 'agents = ["claude", "codex"]\n')
    said = world.ok("pack", "test", folder, "--agent", "all").out
    assert "in codex: 1 deny" in said
    assert "in gemini" not in said
    tested = world.ok("pack", "test", folder, "--json").json
    agents = {each["agent"]: each["outcomes"] for each in tested["agents"]}
    assert agents["claude"]
    assert not agents["gemini"]


def test_an_unknown_agent_is_refused(world: World) -> None:
    done = world.run("pack", "test", make(world, CASES), "--agent", "cluade")
    assert done.code == 2
    assert "did you mean claude" in done.err
