"""Who judges which input: rewriters first, guards see what will run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.bridge.rig import AGENTS, Heard, Repo

REWRITES = {"rewrites": True}
# Puts a word in front of the command and notes what it saw.
REWRITER = """
import json, sys
call = json.load(sys.stdin)
word, decision = sys.argv[1], "".join(sys.argv[2:])
with open(call.get("cwd", "") and sys.argv[0] + ".log", "a") as log:
    log.write(word + ":" + call["tool_input"].get("command", "?") + "\\n")
given = dict(call["tool_input"])
given["command"] = word + " " + given.get("command", "")
out = {"hookEventName": "PreToolUse", "updatedInput": given}
if decision:
    out["permissionDecision"] = decision
print(json.dumps({"hookSpecificOutput": out}))
"""
CAN_REWRITE = ("claude", "codex", "gemini", "copilot", "cursor")


def rewriter(repo: Repo, word: str, *, declared: bool, decision: str = "", **settings: Any) -> None:
    command = repo.script("rw.py", REWRITER) + f" {word} {decision}"
    terms = {**(REWRITES if declared else {}), **settings.pop("terms", {})}
    repo.hook(command, pack="rw", terms=terms, **settings)


def new_command(heard: Heard) -> str:
    """The command that will run instead, in whichever agent's form; "" if it is left as it is."""
    out = heard.answer
    inner = out.get("hookSpecificOutput", {})
    for place, key in (
        (inner, "updatedInput"),
        (inner, "tool_input"),
        (out, "modifiedArgs"),
        (out, "updated_input"),
    ):
        if key in place:
            return str(place[key]["command"])
    return ""


@pytest.mark.parametrize("agent", CAN_REWRITE)
def test_declared_rewriters_see_each_others_work_in_file_order(agent: str, repo: Repo) -> None:
    for word in "abc":
        rewriter(repo, word, declared=True)
    heard = repo.shell(agent, "x")
    assert new_command(heard) == "c b a x"
    assert (repo.root / "rw.py.log").read_text() == "a:x\nb:a x\nc:b a x\n"
    assert heard.stderr == ""


@pytest.mark.parametrize("agent", CAN_REWRITE)
@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("guard_first", [True, False])
def test_a_guard_judges_what_will_run(
    agent: str, declared: bool, guard_first: bool, repo: Repo
) -> None:
    if guard_first:
        repo.guard("danger")
    rewriter(repo, "danger", declared=declared)
    if not guard_first:
        repo.guard("danger")
    assert repo.shell(agent, "x").refusal() == "no danger"
    assert new_command(repo.shell(agent, "x")) == ""


@pytest.mark.parametrize("agent", CAN_REWRITE)
def test_a_declared_rewrite_can_make_a_call_harmless(agent: str, repo: Repo) -> None:
    text = REWRITER.replace('word + " " +', 'word + " " * 0 + "" *')
    text = text.replace('given.get("command", "")', "0")
    repo.hook(repo.script("safe.py", text) + " safe", pack="p", terms=REWRITES).guard("danger")
    assert new_command(repo.shell(agent, "danger")) == "safe"


@pytest.mark.parametrize("agent", CAN_REWRITE)
def test_the_first_undeclared_rewrite_counts_and_further_ones_are_named(
    agent: str, repo: Repo
) -> None:
    rewriter(repo, "a", declared=False)
    rewriter(repo, "b", declared=False)
    heard = repo.shell(agent, "x")
    assert new_command(heard) == "a x"
    assert "rw/h1: updatedInput was left out: another hook's counts" in heard.stderr


def test_an_undeclared_rewrite_stands_on_the_declared_ones(repo: Repo) -> None:
    rewriter(repo, "late", declared=False)
    rewriter(repo, "first", declared=True)
    repo.guard("first")
    heard = repo.shell("claude", "x")
    assert heard.refusal() == "no first"
    repo.hooks["PreToolUse"].pop()
    repo.write()
    assert new_command(repo.shell("claude", "x")) == "late first x"


def test_an_unchanged_rewrite_is_not_judged_twice(repo: Repo) -> None:
    same = json.dumps(
        {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "x"}}}
    )
    repo.hook(f"echo '{same}'").hook('echo run >> "$CLAUDE_PROJECT_DIR/log"')
    payload = repo.shell_payload("claude", "x")
    payload["tool_input"] = {"command": "x"}
    repo.call("claude", "PreToolUse", payload)
    assert (repo.root / "log").read_text() == "run\n"


def test_an_allow_never_covers_an_input_that_its_hook_has_not_seen(repo: Repo) -> None:
    allow = repo.script(
        "allow.py",
        "import json, sys\n"
        'if json.load(sys.stdin)["tool_input"]["command"] == "ls":\n'
        '    print(json.dumps({"decision": "approve"}))\n',
    )
    repo.hook(allow)
    assert repo.shell("claude", "ls").answer == {"decision": "approve"}
    rewriter(repo, "sudo", declared=False)
    answer = repo.shell("claude", "ls").answer["hookSpecificOutput"]
    assert answer["updatedInput"]["command"] == "sudo ls"
    assert "permissionDecision" not in answer


def test_an_allow_of_an_earlier_rewriter_does_not_cover_a_later_rewrite(repo: Repo) -> None:
    rewriter(repo, "a", declared=True, decision="allow")
    rewriter(repo, "b", declared=True)
    heard = repo.shell("claude", "x")
    assert "permissionDecision" not in heard.answer["hookSpecificOutput"]
    assert "rw/h0: allow was left out" in heard.stderr


def test_a_rewriters_own_allow_goes_with_its_rewrite(repo: Repo) -> None:
    rewriter(repo, "a", declared=True, decision="allow")
    answer = repo.shell("claude", "x").answer["hookSpecificOutput"]
    assert (answer["permissionDecision"], answer["updatedInput"]["command"]) == ("allow", "a x")


@pytest.mark.parametrize("agent", CAN_REWRITE)
def test_a_rewrite_whose_ask_became_a_deny_changes_nothing(agent: str, repo: Repo) -> None:
    if agent in ("claude", "copilot"):
        pytest.skip("it can ask")
    rewriter(repo, "a", declared=True, decision="ask", terms={"fallback": {"ask": "deny"}})
    repo.hook('cat > "$CLAUDE_PROJECT_DIR/seen"')
    heard = repo.shell(agent, "x")
    assert "cannot ask the user here" in heard.refusal()
    assert json.loads((repo.root / "seen").read_text())["tool_input"]["command"] == "x"


PATCH = """*** Begin Patch
*** Update File: a.txt
@@
-x
+y
*** Add File: b.txt
+new
*** Delete File: c.txt
*** Update File: d.txt
*** Move to: e.txt
@@
-x
+y
*** Update File: .env
@@
-A=1
+A=2
*** End Patch"""


def patched(repo: Repo, text: str = PATCH) -> Heard:
    payload = repo.payload("codex", "PreToolUse", "s", "apply_patch", {"command": text})
    return repo.call("codex", "PreToolUse", payload)


def test_each_file_of_a_patch_is_judged_even_after_a_deny(repo: Repo) -> None:
    script = repo.script(
        "each.py",
        "import json, sys\n"
        "call = json.load(sys.stdin)\n"
        'path = call["tool_input"]["file_path"]\n'
        'open(sys.argv[0] + ".log", "a").write(call["tool_name"] + ":" + path + "\\n")\n'
        'if path in ("b.txt", ".env"):\n'
        '    sys.exit("no " + path) if 0 else (sys.stderr.write("no " + path), sys.exit(2))\n',
    )
    repo.hook(script, matcher="Edit|Write")
    assert patched(repo).refusal() == "no b.txt\nno .env"
    log = sorted((repo.root / "each.py.log").read_text().split())
    files = ["Edit:a.txt", "Write:b.txt", "Write:c.txt", "Edit:d.txt", "Edit:e.txt", "Edit:.env"]
    assert log == sorted(files)


@pytest.mark.parametrize("files", [1, 2])
def test_a_rewrite_of_a_patch_is_left_out_with_a_note_and_guards_see_the_patch(
    files: int, repo: Repo
) -> None:
    rewriter(repo, "a", declared=True)
    repo.hook('cat >> "$CLAUDE_PROJECT_DIR/seen"')
    patch = "".join(f"*** Add File: f{n}\n+x\n" for n in range(files))
    heard = patched(repo, f"*** Begin Patch\n{patch}*** End Patch")
    assert heard.answer == {}
    assert "rw/h0: updatedInput cannot be done here" in heard.stderr
    assert "command" not in (repo.root / "seen").read_text()


def test_a_lost_rewrite_with_its_fallback_denies_and_says_what_is_wanted(repo: Repo) -> None:
    rewriter(repo, "a", declared=True, terms={"fallback": {"updatedInput": "deny"}})
    assert patched(repo).refusal().startswith('Use this input instead: {"file_path": "a.txt"')


def test_a_lost_rewrite_takes_its_allow_along(repo: Repo) -> None:
    rewriter(repo, "a", declared=True, decision="allow")
    payload = repo.payload("copilot", "PreToolUse", "s", "apply_patch", {"input": PATCH})
    heard = repo.call("copilot", "PreToolUse", payload)
    assert "permissionDecision" not in heard.answer
    assert "allow was left out" in heard.stderr


@pytest.mark.parametrize("agent", AGENTS)
def test_a_rewrite_keeps_the_agents_own_arguments(agent: str, repo: Repo) -> None:
    answer = {"hookEventName": "PreToolUse", "updatedInput": {"command": "new"}}
    repo.hook(f"echo '{json.dumps({'hookSpecificOutput': answer})}'")
    payload = repo.shell_payload(agent, "old")
    assert new_command(repo.call(agent, "PreToolUse", payload)) == "new"
