"""Hooks in JavaScript: what a line shows for sure."""

from __future__ import annotations

import pytest

from hookpm.packs.check import Finding
from tests.packs.check.packs import Wanted, find, of_rule

NODE = "#!/usr/bin/env node\n"
HEAD = '[requires]\nprograms = ["node"]'


def js(text: str, wanted: Wanted | None = None) -> tuple[Finding, ...]:
    return find(NODE + text, wanted or Wanted(head=HEAD), file="hook.mjs")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('console.error("Blocked: no pushes");\nprocess.exit(1);\n', 3),
        ("if (x) { console.error(`denied: ${x}`); process.exit(1) }\n", 2),
        ('process.stderr.write("not allowed\\n")\nprocess.exitCode = 1\n', 3),
    ],
)
def test_another_exit_code_meant_as_a_block_is_found(text: str, line: int) -> None:
    assert of_rule("exit-1", js(text)) == [("hook.mjs", line)]


@pytest.mark.parametrize(
    "text",
    [
        'console.error("Blocked");\nprocess.exit(2);\n',
        'console.error("no input, nothing is blocked");\nprocess.exit(1);\n',
        "// denied: process.exit(1)\nprocess.exit(2)\n",
        'const why = "denied";\n\n\nconsole.error("no file");\nprocess.exit(1);\n',
    ],
)
def test_other_exits_stay_silent(text: str) -> None:
    assert of_rule("exit-1", js(text)) == []


def test_an_answer_that_approves_is_found_and_a_comment_is_none() -> None:
    answer = "console.log(JSON.stringify({ permissionDecision: 'allow' }))\n"
    assert of_rule("allow-answer", js(answer))
    assert of_rule("allow-answer", js(f"// {answer}/* {answer} */ process.exit(2)\n")) == []
    assert of_rule("allow-answer", js('const url = "https://x"; // decision: "approve"\n')) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('execSync("npx prettier " + file)\n', True),
        ("spawnSync('npx', ['prettier', file])\n", True),
        ('spawnSync("npm", ["install", "x"])\n', True),
        ('spawnSync("npm", ["test"])\n', False),
        ('if (command.includes("npx ")) deny("npx is off limits")\n', False),
        ('// execSync("npx x")\n', False),
    ],
)
def test_code_from_the_network_is_found(text: str, found: bool) -> None:
    assert bool(of_rule("network-runner", js(text))) is found


def test_the_interpreter_is_a_program_that_is_declared() -> None:
    by_node = Wanted(command='node "$HOOKPM_PACK_DIR/hook.mjs"')
    assert of_rule("program-undeclared", js("process.exit(2)\n", by_node))
    assert of_rule("program-undeclared", js("process.exit(2)\n", by_node._replace(head=HEAD))) == []
    assert of_rule("program-undeclared", js("process.exit(2)\n", Wanted()))
    assert of_rule("program-undeclared", js("process.exit(2)\n")) == []
