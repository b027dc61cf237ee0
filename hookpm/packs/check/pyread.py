"""Reads a Python script: what it imports, answers, reads of the input, prints, and how it ends."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hookpm.packs.check import says
from hookpm.packs.check.says import Saying

_EXITS = ("sys.exit", "exit", "quit", "os._exit", "posix._exit", "SystemExit")


class Module(NamedTuple):
    """A script that was read. guarded: the numbers of the nodes that run only under a condition on
    the version or the imports; docs: those of texts that stand by themselves; ends: functions whose
    value is the exit code; future: annotations are not evaluated."""

    tree: ast.Module
    guarded: frozenset[int]
    docs: frozenset[int]
    ends: frozenset[str]
    future: bool


class Exit(NamedTuple):
    """The script ends here: with a code, or (code "") with a text; told: what it prints before."""

    line: int
    code: str
    told: str


def read(text: str) -> Module:
    """Raises SyntaxError, with the line, where this Python cannot read it."""
    tree = ast.parse(text)
    guarded: set[int] = set()
    docs: set[int] = set()
    ends: set[str] = set()
    for node in ast.walk(tree):
        if _is_guard(node):
            guarded.update(id(inner) for inner in ast.walk(node))
        if isinstance(node, ast.Expr):
            docs.add(id(node.value))
        if isinstance(node, ast.Call) and name_of(node.func) in _EXITS:
            ends.update(name_of(a.func) for a in node.args if isinstance(a, ast.Call))
    future = any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in tree.body
    )
    return Module(tree, frozenset(guarded), frozenset(docs), frozenset(ends), future)


def name_of(node: ast.expr) -> str:
    """`a.b.c` as text, "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = name_of(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""


def imports(module: Module) -> Iterator[tuple[str, tuple[str, ...], int, bool]]:
    """Module, the names taken from it, the line, and whether it has to be there."""
    for node in ast.walk(module.tree):
        needed = id(node) not in module.guarded
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, (), node.lineno, needed
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module, tuple(alias.name for alias in node.names), node.lineno, needed


def strings(module: Module) -> Iterator[tuple[str, int]]:
    """The texts in the code, without docstrings and the like."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Constant) or id(node) in module.docs:
            continue
        if isinstance(node.value, str):
            yield node.value, node.lineno


def keys_read(module: Module) -> dict[str, int]:
    """The fixed keys that are looked up in any object, each with a line."""
    found: dict[str, int] = {}
    for node in ast.walk(module.tree):
        key: ast.expr | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            key = node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            key = node.args[0] if node.func.attr == "get" else None
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            found.setdefault(key.value, key.lineno)
    return found


def sayings(module: Module) -> list[Saying]:
    """What the script answers: dictionaries with an answer's keys, JSON in texts, exit codes."""
    found: list[Saying] = []
    for node in ast.walk(module.tree):
        for key, value in _pairs(node):
            if key in says.KEYS:
                found.append(Saying(key, _fixed(value), value.lineno))
    for text, line in strings(module):
        found += says.in_text(text, line)
    found += (Saying("exit", each.code, each.line) for each in exits(module))
    return sorted(found, key=lambda saying: saying.line)


def exits(module: Module) -> Iterator[Exit]:
    """Where the script ends by itself, and what it prints right before."""
    for block, function in blocks(module.tree):
        for index, statement in enumerate(block):
            code = _exit_code(statement, function in module.ends)
            if code is None:
                continue
            told = [printed(each) for each in block[max(index - 3, 0) : index]]
            if isinstance(code, str):
                yield Exit(statement.lineno, "", " ".join([*told, code]))
            else:
                yield Exit(statement.lineno, str(code), " ".join(told))


def blocks(tree: ast.AST, function: str = "") -> Iterator[tuple[list[ast.stmt], str]]:
    """Every list of statements, with the name of the function around it."""
    for _, value in ast.iter_fields(tree):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield value, function
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from blocks(each, each.name)
            elif isinstance(each, ast.AST):
                yield from blocks(each, function)


def printed(statement: ast.stmt) -> str:
    """The fixed text that a statement prints, on whichever stream."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return ""
    if name_of(statement.value.func) not in ("print", "sys.stderr.write", "sys.stdout.write"):
        return ""
    texts = [n.value for n in ast.walk(statement.value) if isinstance(n, ast.Constant)]
    return " ".join(text for text in texts if isinstance(text, str))


def prints_text(statement: ast.stmt) -> bool:
    """Does a statement print a fixed text that is no JSON to stdout?"""
    if not printed(statement) or not isinstance(statement, ast.Expr):
        return False
    call = statement.value
    if not isinstance(call, ast.Call) or name_of(call.func) == "sys.stderr.write":
        return False
    if any(keyword.arg == "file" for keyword in call.keywords):
        return False
    first = call.args[0] if call.args else None
    if isinstance(first, ast.JoinedStr) and first.values:
        first = first.values[0]
    is_text = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return is_text and printed(statement).lstrip()[:1] not in ("{", "[", "")


def prints_json(tree: ast.AST) -> ast.AST | None:
    """The call that prints JSON to stdout in this piece of code, or None."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = name_of(node.func)
        inner = [name_of(a.func) for a in node.args if isinstance(a, ast.Call)]
        elsewhere = any(k.arg == "file" for k in node.keywords)
        if called in ("print", "sys.stdout.write") and "json.dumps" in inner and not elsewhere:
            return node
        if called == "json.dump" and len(node.args) > 1 and name_of(node.args[1]) == "sys.stdout":
            return node
    return None


def commands(module: Module) -> Iterator[tuple[Sequence[str], str, int]]:
    """What is started: the fixed words of a list, or the text of a shell line."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = name_of(node.func)
        if called not in ("os.system", "os.popen") and not called.startswith("subprocess."):
            continue
        first = node.args[0]
        if isinstance(first, ast.List | ast.Tuple):
            yield [_fixed(word) for word in first.elts], "", node.lineno
        elif isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield (), first.value, node.lineno


def _pairs(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The fixed keys that a node gives to a dictionary, with their values."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value
    elif isinstance(node, ast.Call) and name_of(node.func) == "dict":
        for keyword in node.keywords:
            yield keyword.arg or "", keyword.value
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                yield str(target.slice.value), node.value


def _fixed(value: ast.expr) -> str:
    if not isinstance(value, ast.Constant):
        return ""
    if isinstance(value.value, bool):
        return "true" if value.value else "false"
    return value.value if isinstance(value.value, str) else ""


def _exit_code(statement: ast.stmt, is_main: bool) -> int | str | None:
    """What the script ends with: a fixed number, or a text; None where it does not end here."""
    value: ast.expr | None = None
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        value = _argument(statement.value)
    elif isinstance(statement, ast.Raise) and isinstance(statement.exc, ast.Call):
        value = _argument(statement.exc)
    elif isinstance(statement, ast.Return) and is_main:
        value = statement.value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return None
    if isinstance(value, ast.JoinedStr):
        return " ".join(str(v.value) for v in value.values if isinstance(v, ast.Constant))
    if not isinstance(value, ast.Constant) or isinstance(value.value, bool):
        return None
    return value.value if isinstance(value.value, int | str) else None


def _argument(call: ast.Call) -> ast.expr | None:
    return call.args[0] if name_of(call.func) in _EXITS and call.args else None


def _is_guard(node: ast.AST) -> bool:
    """Does what is in it run under a condition on the version, or on an import that may fail?"""
    if isinstance(node, ast.Try):
        caught = {name_of(t) for h in node.handlers if h.type for t in _types(h.type)}
        bare = any(handler.type is None for handler in node.handlers)
        return bare or bool(caught & {"ImportError", "ModuleNotFoundError", "Exception"})
    if isinstance(node, ast.If):
        names = {name_of(n) for n in ast.walk(node.test) if isinstance(n, ast.Name | ast.Attribute)}
        return bool(names & {"TYPE_CHECKING", "typing.TYPE_CHECKING", "sys.version_info"})
    return False


def _types(caught: ast.expr) -> list[ast.expr]:
    return list(caught.elts) if isinstance(caught, ast.Tuple) else [caught]
