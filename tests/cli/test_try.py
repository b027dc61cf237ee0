"""hookpm try: what would happen, in each agent's own words, with nothing of the repo touched."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from hookpm import agents
from tests.project.world import HOOK, World

EDIT = ("--tool", "Edit", "--input", '{"file_path": ".env", "old_string": "a"}')
FORMS = {
    "claude": ("hookSpecificOutput", "permissionDecision"),
    "codex": ("hookSpecificOutput", "permissionDecision"),
    "gemini": ("decision", None),
    "cursor": ("permission", None),
    "copilot": ("permissionDecision", None),
}


@pytest.mark.parametrize("agent", agents.names())
def test_every_agent_answers_in_its_own_form(world: World, agent: str) -> None:
    done = world.ok("try", "guard", *EDIT, f"--agent={agent}", "--json").json
    assert (done["agent"], done["event"], done["decision"]) == (agent, "PreToolUse", "deny")
    assert "a secret file" in json.dumps(done["answer"])
    (hook,) = done["hooks"]
    assert (hook["pack"], hook["hook"], hook["exit"]) == ("guard", "guard", 0)
    assert hook["ms"] > 0
    if agent in FORMS:
        first, second = FORMS[agent]
        value = done["answer"][first]
        assert (value[second] if second else value) == "deny"


def test_several_agents_are_tried_one_after_the_other(world: World) -> None:
    both = ("--agent=codex", "--agent=gemini")
    done = world.ok("try", "guard", *EDIT, *both, "--json").json
    assert [each["agent"] for each in done["tries"]] == ["codex", "gemini"]
    said = world.ok("try", "guard", *EDIT, *both).out
    assert "codex, PreToolUse: deny" in said
    assert "gemini, PreToolUse: deny" in said
    assert "guard/guard: exit code 0" in said


def test_no_objection_ends_with_0_as_a_refusal_does(world: World) -> None:
    done = world.ok("try", "guard", "--tool=Edit", "--input", '{"file_path": "a"}', "--json").json
    assert (done["decision"], done["answer"], len(done["hooks"])) == ("none", {}, 1)
    done = world.ok("try", "guard", "--tool=WebFetch", "--input", '{"url": "x"}', "--json").json
    assert (done["hooks"], done["notes"]) == ([], ["no hook of guard runs for this"])


def test_what_an_agent_cannot_do_is_what_would_happen(world: World) -> None:
    asks = HOOK.replace('["deny"]', '["ask"]')
    answer = (
        'print(\'{"hookSpecificOutput": {"hookEventName": "PreToolUse", '
        '"permissionDecision": "ask", "permissionDecisionReason": "sure?"}}\')\n'
    )
    plain = world.pack("asks", hooks=asks, files={"guard.py": answer})
    held = world.pack(
        "holds", hooks=asks + 'fallback = { ask = "deny" }\n', files={"guard.py": answer}
    )
    for pack, decision in ((plain, "none"), (held, "deny")):
        done = world.ok("try", pack, *EDIT, "--agent=codex", "--json").json
        assert done["decision"] == decision
        assert world.ok("try", pack, *EDIT, "--json").json["decision"] == "ask"
    lost = world.ok("try", plain, *EDIT, "--agent=codex", "--json").json
    assert any("ask cannot be done in codex" in note for note in lost["notes"])


def test_a_hook_that_fails_or_runs_late_is_shown(world: World) -> None:
    failing = world.pack("fails", files={"guard.py": "raise SystemExit('broken')\n"})
    done = world.ok("try", failing, *EDIT, "--json").json
    assert (done["decision"], done["hooks"][0]["exit"]) == ("none", 1)
    assert done["hooks"][0]["stderr"] == "broken\n"
    assert any("failed and allows" in note for note in done["notes"])
    late = world.pack(
        "late",
        hooks=HOOK.replace("timeout = 10", 'timeout = 0.5\non_failure = "block"'),
        files={"guard.py": "import time\ntime.sleep(30)\n"},
    )
    done = world.ok("try", late, *EDIT, "--json").json
    assert (done["decision"], done["hooks"][0]["exit"]) == ("deny", None)


def test_other_events_take_a_prompt_or_their_fields(world: World) -> None:
    hooks = '[[hooks]]\nid = "tell"\nevent = "UserPromptSubmit"\nrun = "tell.py"\n'
    tell = 'import json, sys\nprint("prompt was", json.load(sys.stdin)["prompt"])\n'
    pack = world.pack("tells", hooks=hooks, files={"tell.py": tell})
    done = world.ok("try", pack, "--prompt", "deploy", "--json").json
    assert (done["event"], done["decision"]) == ("UserPromptSubmit", "context")
    assert done["hooks"][0]["stdout"] == "prompt was deploy\n"
    stop = HOOK.replace('"PreToolUse"', '"Stop"').replace('matcher = "Read|Edit|Write|Bash"\n', "")
    stop = stop.replace('["deny"]', '["block"]')
    goes = 'import json, sys\nif not json.load(sys.stdin)["stop_hook_active"]:\n    sys.exit(2)\n'
    pack = world.pack("stops", hooks=stop, files={"guard.py": goes})
    for active, decision in (("false", "block"), ("true", "none")):
        given = f'{{"stop_hook_active": {active}}}'
        for agent in ("claude", "cursor", "gemini"):
            done = world.ok(
                "try", pack, "--event=Stop", "--input", given, f"--agent={agent}", "--json"
            ).json
            assert done["decision"] == decision, agent


def test_an_event_that_the_agent_lacks_runs_nothing(world: World) -> None:
    done = world.ok("try", "guard", "--prompt", "x", "--agent=antigravity", "--json").json
    assert (done["decision"], done["hooks"]) == ("none", [])
    assert "no such event" in done["notes"][0]


def test_input_comes_from_a_file_or_stdin_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = world.write("call.json", '{"file_path": ".env"}')
    done = world.ok("try", "guard", "--tool=Edit", "--input", f"@{given}", "--json").json
    assert done["decision"] == "deny"
    monkeypatch.setattr(io, "StringIO", lambda text='{"file_path": ".env"}': _Text(text))
    done = world.ok("try", "guard", "--tool=Edit", "--input", "-", "--json").json
    assert done["decision"] == "deny"


class _Text(io.TextIOWrapper):
    def __init__(self, text: str) -> None:
        self.kept = io.BytesIO(text.encode())
        super().__init__(self.kept, encoding="utf-8", write_through=True)

    def getvalue(self) -> str:
        return self.kept.getvalue().decode()


def test_an_installed_pack_is_tried_as_it_is_installed(world: World) -> None:
    world.install("guard==1.0.0")
    text = world.read(".agents/hookpm.toml").replace(
        '"==1.0.0"', '{ version = "==1.0.0", disable = ["guard"] }'
    )
    world.write(".agents/hookpm.toml", text)
    done = world.ok("try", "guard", *EDIT, "--json").json
    assert (done["decision"], done["hooks"]) == ("none", [])
    assert done["notes"] == ["no hook of guard runs for this"]
    done = world.ok("try", "guard==2.0.0", *EDIT, "--json").json
    assert done["decision"] == "deny"


def test_the_options_that_the_project_sets_reach_the_hook(world: World) -> None:
    more = '[options.words]\ntype = "list[str]"\ndefault = []\n'
    show = 'import os\nprint(os.environ["HOOKPM_OPTIONS"])\n'
    pack = world.pack("opts", more=more, files={"guard.py": show})
    world.install(pack)
    text = world.read(".agents/hookpm.toml")
    line = next(line for line in text.splitlines() if line.startswith("opts"))
    changed = line.rstrip(" }") + ', options = { words = ["a", "ü"] } }'
    world.write(".agents/hookpm.toml", text.replace(line, changed))
    done = world.ok("try", "opts", *EDIT, "--json").json
    assert json.loads(done["hooks"][0]["stdout"]) == {"words": ["a", "ü"]}


def test_a_try_leaves_nothing_behind(world: World) -> None:
    pack = world.pack("writes", files={"guard.py": "open('made', 'w').write('x')\n"})
    before, home = world.stamped(), world.stamped(world.home)
    own = world.base / "tmp"
    own.mkdir()
    world.patch.setattr("tempfile.tempdir", str(own))
    world.ok("try", pack, *EDIT, "--agent=claude", "--agent=codex")
    assert list(own.iterdir()) == []
    assert world.stamped() == before
    assert world.stamped(world.home) == home


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        ((), 2, "PACK"),
        (("guard",), 2, "--tool Bash"),
        (("guard", "--event", "Stop", "--tool", "Bash"), 2, "no tool"),
        (("guard", "--event", "preToolUse"), 2, "did you mean PreToolUse?"),
        (("guard", "--event", "UserPromptSubmit"), 2, "--prompt"),
        (("guard", "--event", "Stop", "--prompt", "x"), 2, "no prompt"),
        (("guard", "--tool", "Bash", "--input", "{"), 2, "not JSON"),
        (("guard", "--tool", "Bash", "--input", "[]"), 2, "not a JSON object"),
        (("guard", "--tool", "Bash", "--input", "@nowhere"), 3, "nowhere"),
        (("guard", "--tool", "Bash", "--agent", "cluade"), 2, "did you mean claude"),
        (("nothing-like-it", "--tool", "Bash"), 3, "nothing-like-it"),
        (("./nowhere", "--tool", "Bash"), 3, "nowhere"),
    ],
)
def test_a_wrong_use_is_said_in_one_message(
    world: World, arguments: tuple[str, ...], code: int, word: str
) -> None:
    done = world.run("try", *arguments)
    assert done.code == code, done.text
    assert word in done.err
    assert done.err.count("error: ") == 1


def test_a_registry_is_asked_for_what_is_not_installed(world: World, tmp_path: Path) -> None:
    assert world.ok("try", "helper", *EDIT, "--json").json["decision"] == "deny"
    assert not (world.repo / ".agents").exists()
