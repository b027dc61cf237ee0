"""What hooks can answer, estimated from their scripts."""

from __future__ import annotations

import pytest

from hookpm.packs import estimate


@pytest.mark.parametrize(
    ("event", "text", "words"),
    [
        ("PreToolUse", "echo no >&2\nexit 2", ("deny",)),
        ("PreToolUse", "sys.exit(2)", ("deny",)),
        ("PreToolUse", "process.exit(2)", ("deny",)),
        ("PreToolUse", "process.exitCode = 2;", ("deny",)),
        ("PreToolUse", "exit 20", ()),
        ("PreToolUse", "def main():\n    return 2\nsys.exit(main())", ("deny",)),
        ("PreToolUse", "def two():\n    return 2\n", ()),
        ("PreToolUse", "# exit 2 would block\n// exit 2\nexit 0", ()),
        ("Stop", "exit 2", ("block",)),
        ("SessionEnd", "exit 2", ()),
        ("SessionStart", "exit 2", ()),
        ("PostToolUse", 'echo \'{"decision": "block"}\'', ("block",)),
        ("PreToolUse", '{"decision": "approve"}', ("allow",)),
        (
            "PreToolUse",
            '{permissionDecision: ok ? "deny" : "ask", updatedInput: x}',
            ("deny", "ask", "updatedInput"),
        ),
        ("PreToolUse", 'echo "{\\"permissionDecision\\": \\"deny\\"}"', ("deny",)),
        ("PreToolUse", 'print("deny")', ()),
        ("PermissionRequest", '{"decision": {"behavior": "allow"}}', ("allow",)),
        ("UserPromptSubmit", '{"continue": false}', ("continue:false",)),
        ("UserPromptSubmit", 'out["continue"] = False', ()),
        ("UserPromptSubmit", "{'continue': False}", ("continue:false",)),
        ("SessionStart", "cat rules.md", ("additionalContext",)),
        ("SessionStart", "echo x >&2\nprint('x', file=sys.stderr)", ()),
        ("PostToolUse", "cat rules.md", ()),
        ("Stop", '{"systemMessage": "x"}', ("systemMessage",)),
        ("Notification", "notify-send x", ()),
    ],
)
def test_the_words_of_an_event_that_a_text_speaks(
    event: str, text: str, words: tuple[str, ...]
) -> None:
    assert estimate.words(event, text) == words


@pytest.mark.parametrize(
    ("line", "scripts", "unknown"),
    [
        ("python3 a.py && echo", ["a.py"], []),
        ("python3 -c 'print()'", [], []),
        ("./a.sh | jq .", ["./a.sh"], []),
        ("npx guard", [], ["npx"]),
        ("uvx guard || exit 2", ["a.py"], ["uvx"]),
        ("cat | $HOME/bin/guard", [], ["$HOME/bin/guard"]),
        ("if [ -x a ]; then a; fi", [], ["a"]),
        ("/usr/bin/env bash gone.sh", [], ["/usr/bin/env"]),
    ],
)
def test_programs_that_nobody_can_read_are_told(
    line: str, scripts: list[str], unknown: list[str]
) -> None:
    assert estimate.opaque(line, scripts) == unknown


def test_files_of_code_are_read_as_far_as_scripts_load_them() -> None:
    texts = {
        "a.py": "from lib.answers import deny",
        "lib/answers.py": "import texts",
        "lib/texts.py": "",
        "lib/other.py": "",
        "notes.md": "",
        "lib.sh": "",
    }
    assert estimate.reading(["a.py"], texts) == ["a.py", "lib/answers.py", "lib.sh", "lib/texts.py"]
