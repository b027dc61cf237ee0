"""The contract runs in users' repos on their own python3: old ones, with nothing installed."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hookpm

PACKAGE = Path(hookpm.__file__).parent
CONTRACT = sorted((PACKAGE / "contract").glob("*.py"))
TRANSLATIONS = sorted((PACKAGE / "agents").glob("*/translate.py"))
VENDORED = CONTRACT + TRANSLATIONS
BUILT_IN = {"_json"}
COSTLY = ("re", "json", "typing", "enum", "dataclasses", "pathlib", "subprocess", "collections.abc")

# Prints what the modules make of some inputs, for a comparison between interpreters.
PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    __import__(name)
before = set(sys.modules)
from hookpm.contract import answer, hooksfile, join, jsontext, matcher
asked = jsontext.loads(sys.stdin.read())
print([name for name in asked["costly"] if name in before], file=sys.stderr)
found = []
for event, code, out, err in asked["answers"]:
    read = answer.read(event, code, out.encode(), err.encode())
    joined = join.join(event, [read, answer.Answer(), read])
    for each in (read, joined):
        found.append([getattr(each, slot) for slot in answer.Answer.__slots__])
for text in asked["matchers"]:
    found.append([tool for tool in asked["tools"] if matcher.matches("PreToolUse", text, tool)])
    found.append(matcher.problem(text) is None)
found.append([problem.message for problem in hooksfile.check(asked["file"])])
print(jsontext.dumps(found))
"""

QUESTIONS = {
    "costly": COSTLY,
    "answers": [
        ["PreToolUse", 2, "", "no\u00e9"],
        ["PreToolUse", 0, '{"decision": "block", "reason": "\\ud83d"}', ""],
        ["PreToolUse", 1, "Ready\n" + json.dumps({"permissionDecision": "deny"}), "x"],
        ["SessionStart", 0, "text", ""],
        ["Stop", 127, "", "sh: 1: gone: not found"],
        ["UserPromptSubmit", 0, "[" * 500, ""],
    ],
    "tools": ["Bash", "Edit", "NotebookEdit", "mcp__a__b", ""],
    "matchers": ["Bash", "Edit|Write", "^(?!Bash)", "(", "\\²", "(?<x>E)dit\\k<x>?", "B*+", "\\B"],
    "file": {"hooks": {"stop": [], "Stop": [{"hooks": [{"type": "http"}]}]}},
}


def old_python() -> str | None:
    """A Python 3.8 that runs: named by HOOKPM_PYTHON38, or on PATH."""
    for candidate in (os.environ.get("HOOKPM_PYTHON38"), shutil.which("python3.8")):
        if candidate:
            ask = [candidate, "-c", "import sys; sys.exit(sys.version_info[:2] != (3, 8))"]
            if subprocess.run(ask, capture_output=True, timeout=60).returncode == 0:
                return candidate
    return None


def copied(folder: Path) -> Path:
    """The vendored modules alone, as they lie in a user's repo."""
    for module in VENDORED:
        target = folder / "hookpm" / module.relative_to(PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(module, target)
        for package in target.relative_to(folder).parents:
            if package != Path("."):
                (folder / package / "__init__.py").touch()
    return folder


def dotted(module: Path) -> str:
    return ".".join(("hookpm", *module.relative_to(PACKAGE).with_suffix("").parts))


def asked(python: str, folder: Path) -> tuple[object, str]:
    """What the probe prints, and which costly modules the imports brought in."""
    names = [dotted(m) for m in VENDORED if m.stem != "__init__"]
    done = subprocess.run(
        [python, "-I", "-S", "-B", "-W", "error", "-c", PROBE, str(folder), *names],
        input=json.dumps(QUESTIONS),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr.strip()


def test_the_vendored_modules_say_the_same_under_python_3_8(tmp_path: Path) -> None:
    python = old_python()
    if python is None:
        pytest.skip("no Python 3.8: none on PATH and HOOKPM_PYTHON38 is not set")
    folder = copied(tmp_path)
    here, _ = asked(sys.executable, folder)
    there, _ = asked(python, folder)
    assert there == here


def test_every_vendored_module_can_be_imported_by_python_3_8(tmp_path: Path) -> None:
    python = old_python()
    if python is None:
        pytest.skip("no Python 3.8: none on PATH and HOOKPM_PYTHON38 is not set")
    names = [dotted(module) for module in VENDORED]
    script = "import sys; sys.path.insert(0, sys.argv[1]); [__import__(n) for n in sys.argv[2:]]"
    done = subprocess.run(
        [python, "-I", "-S", "-B", "-W", "error", "-c", script, str(copied(tmp_path)), *names],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_the_fast_path_imports_nothing_that_costs(tmp_path: Path) -> None:
    _, costly = asked(sys.executable, copied(tmp_path))
    assert costly == "[]"


def imports(tree: ast.Module) -> list[str]:
    """The modules that are imported when this one is, but for what only type checkers read."""
    found = []
    todo: list[ast.AST] = [*tree.body]
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            todo += node.orelse
            continue
        if isinstance(node, ast.Try):  # what stands in for a missing C module may cost
            todo += [*node.body, *node.orelse, *node.finalbody]
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(node.module or "." * node.level)
        todo += ast.iter_child_nodes(node)
    return found


@pytest.mark.parametrize("module", VENDORED, ids=dotted)
def test_a_vendored_module_imports_the_contract_and_built_in_modules_alone(module: Path) -> None:
    names = imports(ast.parse(module.read_text(encoding="utf-8")))
    assert [n for n in names if n not in BUILT_IN and not n.startswith("hookpm.contract")] == []


@pytest.mark.parametrize("module", VENDORED, ids=dotted)
def test_a_vendored_module_is_grammar_of_python_3_8(module: Path) -> None:
    ast.parse(module.read_text(encoding="utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize("module", CONTRACT, ids=dotted)
def test_the_contract_does_no_input_or_output(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    calls = [
        n.func.id
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    ]
    assert not {"open", "print", "input", "exec", "eval"} & set(calls)
