"""What scripts answer, how they end, what they read and start: in sh and in Python."""

from __future__ import annotations

import pytest

from hookpm.packs.check import Finding
from tests.packs.check.packs import BASH, SH, Wanted, codes, find, of_rule

IMPORTS = "import json, sys\ncall = json.load(sys.stdin)\n"
STOP = Wanted("Stop", more='needs = ["block"]')


def py(text: str, wanted: Wanted | None = None) -> tuple[Finding, ...]:
    return find(IMPORTS + text, wanted, file="hook.py")


# --- exit codes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        'echo "Blocked: no pushes" >&2\nexit 1\n',
        'if x; then\n  echo "this is not allowed" >&2\n  exit 1\nfi\n',
        'x && { echo "denied" >&2; exit 1; }\n',
        "x || { printf '%s\\n' 'refusing to run' >&2; exit 4; }\n",
        "cat >&2 <<END\nThis command is forbidden.\nEND\nexit 1\n",
        'echo "no" >&2\nexit 1\n',  # it is to deny, and never does
    ],
)
def test_another_exit_code_meant_as_a_block_is_found_in_sh(text: str) -> None:
    assert len(of_rule("exit-1", find(SH + text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        'echo "Blocked: no pushes" >&2\nexit 2\n',
        'echo "jq is missing" >&2\nexit 1\nexit 2\n',
        'echo "cannot read the input, so nothing is blocked" >&2\nexit 1\nexit 2\n',
        'if x; then echo "denied" >&2; exit 2; fi\nexit 1\n',
        'echo "Blocked"\nexit 0\n',
        'echo "denied" >&2 || exit 2\n( exit 1 )\n',
        "x=$(echo denied; exit 1)\nexit 2\n",
    ],
)
def test_other_exit_codes_stay_silent_in_sh(text: str) -> None:
    assert of_rule("exit-1", find(SH + text)) == []


@pytest.mark.parametrize(
    "text",
    [
        'if call:\n    print("blocked: no pushes", file=sys.stderr)\n    sys.exit(1)\n',
        'sys.exit("this command is not allowed")\n',
        'sys.exit(f"denied: {call}")\n',
        'sys.stderr.write("refused\\n")\nraise SystemExit(1)\n',
        'def main():\n    print("denied")\n    return 1\n\nsys.exit(main())\n',
        'import os\nprint("blocked")\nos._exit(3)\n',
    ],
)
def test_another_exit_code_meant_as_a_block_is_found_in_python(text: str) -> None:
    assert len(of_rule("exit-1", py(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        'print("blocked", file=sys.stderr)\nsys.exit(2)\n',
        'print("this call was not judged", file=sys.stderr)\nsys.exit(1)\n',
        'print("no options", file=sys.stderr)\nsys.exit(1)\n',
        'def is_denied():\n    print("denied")\n    return 1\n\nis_denied()\nsys.exit(2)\n',
        'def main():\n    print("blocked")\n    return 0\n\nsys.exit(main())\n',
        '"""Blocks nothing: exit 1 is a failure."""\nsys.exit(1)\n',
        "sys.exit(call)\n",
    ],
)
def test_other_exit_codes_stay_silent_in_python(text: str) -> None:
    assert of_rule("exit-1", py(text)) == []


def test_where_nothing_can_be_blocked_an_exit_code_means_no_block() -> None:
    text = 'echo "denied" >&2\nexit 1\n'
    assert of_rule("exit-1", find(SH + text, Wanted("SessionStart", more=""))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('echo "use pnpm"\nexit 2\n', True),
        ('if x; then\n  echo "use pnpm"; exit 2\nfi\n', True),
        ('echo "use pnpm" >&2\nexit 2\n', False),
        ('echo "use pnpm" | tee log >&2\nexit 2\n', False),
        ('echo "checking" >log\necho "use pnpm" >&2\nexit 2\n', False),
        ("warn\nexit 2\n", False),
        ('echo "use pnpm"\nexit 0\n', False),
    ],
)
def test_a_reason_on_stdout_is_found(text: str, found: bool) -> None:
    assert bool(of_rule("reason-on-stdout", find(SH + text))) is found


# --- stop ------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", ["Stop", "SubagentStop"])
def test_a_stop_hook_that_never_reads_stop_hook_active_is_found(event: str) -> None:
    wanted = Wanted(event, more='needs = ["block"]')
    blocks = 'print(json.dumps({"decision": "block", "reason": "go on"}))\n'
    assert of_rule("stop-loop", py(blocks, wanted)) == [("hookpack.toml", 8)]
    assert of_rule("stop-loop", find(SH + "echo on >&2\nexit 2\n", wanted))
    assert of_rule("stop-loop", find("", Wanted(event, command="exit 2", more="")))
    assert of_rule("stop-loop", find(SH + "exit 2\n", wanted._replace(more="")))
    assert of_rule("stop-loop", find(SH + "# stop_hook_active?\nexit 2\n", wanted))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('if not call["stop_hook_active"]:\n    print(\'{"decision": "block"}\')\n', STOP),
        ('print(\'{"systemMessage": "bye"}\')\n', Wanted("Stop", more='uses = ["systemMessage"]')),
        ('print(\'{"decision": "block"}\')\n', Wanted("PreToolUse")),
        ("# exit 2 would block\n", Wanted("Stop", more="")),
        ('"""Would block with exit(2), or {"decision": "block"}."""\n', Wanted("Stop", more="")),
    ],
)
def test_stop_hooks_that_cannot_go_on_for_ever_stay_silent(text: str, wanted: Wanted) -> None:
    assert of_rule("stop-loop", py(text, wanted)) == []


def test_another_file_of_the_pack_may_read_it() -> None:
    other = {"again.py": 'def again(call):\n    return call["stop_hook_active"]\n'}
    text = IMPORTS + "import again\nif not again.again(call):\n    sys.exit(2)\n"
    assert of_rule("stop-loop", find(text, STOP, file="hook.py", others=other)) == []


# --- answers ---------------------------------------------------------------------------------

ALLOW = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'
DENY = ALLOW.replace("allow", "deny")


@pytest.mark.parametrize(
    "text",
    [
        f"printf '%s' '{ALLOW}'\n",
        f"cat <<END\n{ALLOW}\nEND\n",
        'echo "{\\"hookSpecificOutput\\": {\\"hookEventName\\": \\"PreToolUse\\", '
        '\\"permissionDecision\\": \\"allow\\"}}"\n',
        'jq -n \'{hookSpecificOutput: {hookEventName: "PreToolUse", '
        'permissionDecision: "allow"}}\'\n',
    ],
)
def test_an_answer_that_approves_is_found_in_sh(text: str) -> None:
    assert of_rule("allow-answer", find(SH + text + "exit 2\n"))


@pytest.mark.parametrize(
    "text",
    [
        'answer = {"permissionDecision": "allow"}\n',
        'answer = {}\nanswer["permissionDecision"] = "allow"\n',
        'answer = dict(permissionDecision="allow")\n',
        'print(json.dumps({"decision": "approve"}))\n',
        f"print('{ALLOW}')\n",
    ],
)
def test_an_answer_that_approves_is_found_in_python(text: str) -> None:
    assert of_rule("allow-answer", py(text))


def test_permission_requests_are_approved_by_behavior() -> None:
    wanted = Wanted("PermissionRequest", more='needs = ["allow"]')
    text = (
        'print(\'{"hookSpecificOutput": {"hookEventName": "PermissionRequest", '
        '"decision": {"behavior": "allow"}}}\')\n'
    )
    assert of_rule("allow-answer", py(text, wanted))
    denies = py(text.replace("allow", "deny"), wanted._replace(more='needs = ["deny"]'))
    assert codes(denies) == []


@pytest.mark.parametrize(
    "text",
    [
        f"print('{DENY}')\n",
        'WORDS = ["deny", "ask", "allow"]\nprint(json.dumps({"permissionDecision": WORDS[0]}))\n',
        'if call.get("permissionDecision") == "allow":\n    pass\n',
        '"""Never says {"permissionDecision": "allow"}."""\n',
        '# {"permissionDecision": "allow"}\n',
        'options = {"unsure": "allow"}\n',
    ],
)
def test_what_approves_nothing_stays_silent(text: str) -> None:
    assert of_rule("allow-answer", py(text)) == []


def test_the_old_decision_before_a_tool_is_found_and_elsewhere_it_is_the_form() -> None:
    text = 'print(json.dumps({"decision": "block", "reason": "no"}))\n'
    assert of_rule("old-decision", py(text)) == [("hook.py", 3)]
    for event in ("PostToolUse", "UserPromptSubmit"):
        assert codes(py(text, Wanted(event, more='needs = ["block"]'))) == []
    assert of_rule("old-decision", py('print(\'{"decision": "approve"}\')\n'))


def test_an_answer_names_its_own_event() -> None:
    without = '{"hookSpecificOutput": {"permissionDecision": "deny"}}'
    assert of_rule("event-name", py(f"print('{without}')\n"))
    other = DENY.replace("PreToolUse", "PostToolUse")
    assert of_rule("event-name", py(f"print('{other}')\n"))
    assert of_rule("event-name", find(SH + f"echo '{other}'\n"))
    assert of_rule("event-name", py(f"print('{DENY}')\n")) == []
    by_call = (
        'print(json.dumps({"hookSpecificOutput": {"hookEventName": call["hook_event_name"], '
        '"permissionDecision": "deny"}}))\n'
    )
    assert codes(py(by_call)) == []


def test_what_is_answered_and_what_is_declared_have_to_agree() -> None:
    ask = DENY.replace("deny", "ask")
    both = f"print('{DENY}')\nprint('{ask}')\n"
    assert of_rule("answer-undeclared", py(both)) == [("hook.py", 4)]
    assert codes(py(both, Wanted(more='needs = ["deny"]\nuses = ["ask"]'))) == []
    assert of_rule("answer-undeclared", find(SH + "echo no >&2\nexit 2\n", Wanted(more="")))
    silent = py("print()\n", Wanted(more='needs = ["deny"]\nuses = ["updatedInput"]'))
    assert of_rule("needs-unanswered", silent) == [("hookpack.toml", 10), ("hookpack.toml", 11)]


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(command="my-guard --strict"),
        Wanted(command='node "$HOOKPM_PACK_DIR/lib/guard.wasm"'),
        Wanted("SessionStart", command="echo hello", more='uses = ["additionalContext"]'),
    ],
)
def test_what_cannot_be_read_is_not_said_to_be_silent(wanted: Wanted) -> None:
    assert of_rule("needs-unanswered", find("", wanted, file="x.txt")) == []


def test_what_another_program_answers_is_not_said_to_be_missing() -> None:
    for text in (
        'import subprocess\nprint(subprocess.check_output(["guard"], text=True))\n',
        'import os\nos.execv("/usr/bin/guard", ["guard"])\n',
    ):
        assert of_rule("needs-unanswered", py(text)) == []
    assert of_rule("needs-unanswered", find(SH + "exec guard\n")) == []


def test_exit_2_is_an_answer_only_where_it_is_one() -> None:
    text = SH + "echo no >&2\nexit 2\n"
    assert codes(find(text, Wanted("SessionStart", more=""))) == []
    assert codes(find(text, Wanted("PostToolUse", more='needs = ["block"]'))) == []


# --- stdout ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"echo 'Checking ...'\nif x; then\n  echo '{DENY}'\nfi\n",
        f"printf 'Checking\\n'\nprintf '%s' '{DENY}'\n",
        f"{{ true; }} 2>/dev/null || true; echo 'Checking'\necho '{DENY}'\n",
        f"echo 'Checking ...'\ncat <<END\n{DENY}\nEND\n",
    ],
)
def test_text_before_the_json_is_found_in_sh(text: str) -> None:
    assert of_rule("mixed-output", find(SH + text)) == [("hook.sh", 2)]


@pytest.mark.parametrize(
    "text",
    [
        f"echo 'Checking ...' >&2\necho '{DENY}'\n",
        f"if x; then\n  echo 'fine'\nelse\n  echo '{DENY}'\nfi\n",
        f"if x; then\n  echo 'fine'\n  exit 0\nfi\necho '{DENY}'\n",
        f"x=$(echo 'Checking')\necho '{DENY}'\n",
        f"{{ echo 'Checking'; date; }} >&2\necho '{DENY}'\n",
        f"( echo 'Checking'; date ) | tee log >&2\necho '{DENY}'\n",
        f"for f in a b; do echo 'Checking'; done >>log\necho '{DENY}'\n",
        f"echo 'Checking' | tee -a log >/dev/null\necho '{DENY}'\n",
        f"echo 'Checking' >>log\necho '{DENY}'\n",
        f"[ -f x ] && echo 'fine' && exit 0\necho '{DENY}'\n",
        f"answer='{DENY}'\nprintf '%s\\n' \"$answer\"\n",
    ],
)
def test_text_elsewhere_stays_silent_in_sh(text: str) -> None:
    assert of_rule("mixed-output", find(SH + text)) == []


def test_text_before_the_json_is_found_in_python() -> None:
    answer = 'print(json.dumps({"systemMessage": "x"}))\n'
    assert of_rule("mixed-output", py(f'print("Checking ...")\nif call:\n    {answer}'))
    assert of_rule("mixed-output", py('print(f"Checking {call}")\njson.dump({}, sys.stdout)\n'))
    for text in (
        f'print("Checking ...", file=sys.stderr)\n{answer}',
        f'if call:\n    print("fine")\nelse:\n    {answer}',
        f'def f():\n    print("fine")\n    return\n    {answer}',
        f"print(call)\n{answer}",
        f'print("")\n{answer}',
        'print("Checking")\nx = json.dumps(call)\n',
    ):
        assert of_rule("mixed-output", py(text)) == []


# --- input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('call["toolInput"]\n', True),
        ('call.get("toolName")\n', True),
        ('call["tool_input"]["filePath"]\n', True),
        ('call.get("tool_input") or call.get("toolInput")\n', False),
        ('call["tool_response"]["filePath"]\n', False),
        (
            'for entry in open(call["transcript_path"]):\n    json.loads(entry)["sessionId"]\n',
            False,
        ),
        ('call["tool_input"]["file_path"]\n', False),
        ('answer = {"toolInput": 1}\n', False),
        ('print("toolInput")\n', False),
    ],
)
def test_a_key_that_is_never_there_is_found_in_python(text: str, found: bool) -> None:
    assert bool(of_rule("input-key", py(text))) is found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("jq -r .toolInput.command", True),
        ("jq -r '.tool_input.filePath'", True),
        ("jq -r '.tool_input.command // .toolInput.command'", False),
        ("jq -r .tool_input.command", False),
        ("grep toolInput", False),
    ],
)
def test_a_key_that_is_never_there_is_found_in_sh(line: str, found: bool) -> None:
    assert bool(of_rule("input-key", find(SH + line + "\nexit 2\n"))) is found


def test_a_hook_for_the_shell_alone_gets_no_file_path() -> None:
    reads = 'call["tool_input"].get("file_path")\n'
    assert of_rule("input-key", py(reads, Wanted(matcher="Bash")))
    assert of_rule("input-key", py(reads.replace("file_path", "command"), Wanted(matcher="Write")))
    for matcher in ("Bash|Edit", "*", "", "Bash.*", "Edit"):
        assert of_rule("input-key", py(reads, Wanted(matcher=matcher))) == []
    both = reads + 'call["tool_input"].get("command")\n'
    assert of_rule("input-key", py(both, Wanted(matcher="Bash"))) == []


def test_a_variable_that_nobody_sets_is_found() -> None:
    assert of_rule("dead-variable", find(SH + 'grep x "$CLAUDE_TOOL_INPUT" && exit 2\n'))
    assert of_rule("dead-variable", find("", Wanted(command='echo "$CLAUDE_FILE_PATHS"', more="")))
    assert of_rule("dead-variable", py('import os\nos.environ.get("CLAUDE_TOOL_INPUT")\n'))
    own = 'CLAUDE_TOOL_INPUT=$(cat)\ngrep x "$CLAUDE_TOOL_INPUT" && exit 2\n'
    for text in (own, 'cd "$CLAUDE_PROJECT_DIR" && exit 2\n', "# $CLAUDE_TOOL_INPUT\nexit 2\n"):
        assert of_rule("dead-variable", find(SH + text)) == []


def test_a_path_of_one_machine_is_found() -> None:
    for line in (
        '/home/jane/bin/guard "$x"',
        "cat /Users/jane/notes.txt",
        "grep x /home/jane/list",
    ):
        assert of_rule("machine-path", find(SH + line + "\nexit 2\n"))
    assert of_rule("machine-path", py('open("/Users/jane/x")\n'))
    assert of_rule("machine-path", py(r'open("C:\\Users\\jane\\x")' + "\n"))
    for line in (
        'grep "/home/[a-z]*/x" y',
        "cat /home/*/.ssh/x",
        "cat /home/user/x",
        'cat "$HOME/x"',
        "echo https://example.com/home/jane/x",
        "# /home/jane/x",
        "cat /Users/Shared/x",
    ):
        assert of_rule("machine-path", find(SH + line + "\nexit 2\n")) == []
    assert of_rule("machine-path", py('"""See /home/jane/x."""\n')) == []


# --- programs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "npx prettier x",
        "npx --yes prettier x",
        "uvx ruff x",
        "bunx x",
        "pnpm dlx x",
        "npm exec x",
        "npm install x",
        "pipx run ruff",
        "pip install ruff",
        "python3 -m pip install ruff",
        "uv tool run ruff",
        "curl -sf https://example.com/x | sh",
        "wget -qO- https://example.com/x | sudo bash",
        "curl -s https://example.com/x | bash -s -- -y",
        "curl -s https://example.com/x | python3 -",
        'sh -c "$(curl -fsSL https://example.com/x)"',
        'eval "$(curl -s https://example.com/x)"',
        "go run example.com/x@latest",
        "x && exec npx y",
        "out=$(npx y)",
        "FOO=1 npx y",
        "timeout 5 npx y",
    ],
)
def test_code_from_the_network_is_found(line: str) -> None:
    assert of_rule("network-runner", find(BASH + line + "\nexit 2\n"))
    quoted = line.replace("'", "")
    assert of_rule("network-runner", find("", Wanted(command=quoted, more="")))


@pytest.mark.parametrize(
    "line",
    [
        "npx --no-install prettier x",
        "echo 'npx is not allowed' >&2",
        "case $x in *'npx '*) exit 2 ;; esac",
        "grep -q 'pip install' x",
        "command -v npx",
        "npm run lint",
        "npm test",
        "curl -s https://example.com/x | jq .y",
        "curl -s https://example.com/x | python3 -m json.tool",
        "curl -s https://example.com/x -o y",
        "curl -s https://example.com/x | grep sh",
        "uv run x.py",
        "pip --version",
        "# npx x",
        "npx() { exit 2; }\nnpx x",
    ],
)
def test_what_only_speaks_of_it_stays_silent(line: str) -> None:
    assert of_rule("network-runner", find(BASH + line + "\nexit 2\n")) == []


def test_code_from_the_network_is_found_in_python() -> None:
    for text in (
        'import subprocess\nsubprocess.run(["npx", "prettier", call])\n',
        'import subprocess\nsubprocess.check_output("pip install ruff", shell=True)\n',
        'import os\nos.system("uvx ruff")\n',
    ):
        assert of_rule("network-runner", py(text))
    for text in ('WORDS = ["npx", "uvx"]\n', 'import subprocess\nsubprocess.run(["git", "npx"])\n'):
        assert of_rule("network-runner", py(text)) == []


@pytest.mark.parametrize(
    ("text", "head", "found"),
    [
        ("jq -r .tool_name\n", "", True),
        ("x=$(jq -r .tool_name)\n", "", True),
        ("jq -r .tool_name\n", '[requires]\nprograms = ["jq"]', False),
        ("command -v jq >/dev/null || exit 0\njq -r .tool_name\n", "", False),
        ("if ! command -v jq >/dev/null; then exit 0; fi\njq -r .tool_name\n", "", False),
        ("echo 'no jq' >&2\n", "", False),
        ("jq() { cat; }\njq .\n", "", False),
    ],
)
def test_a_program_that_is_not_everywhere_is_declared(text: str, head: str, found: bool) -> None:
    done = find(SH + text + "exit 2\n", Wanted(head=head))
    assert bool(of_rule("program-undeclared", done)) is found
