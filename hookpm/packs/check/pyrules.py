"""Rules about Python hooks: what Python 3.8 with the standard library alone does not have."""

from __future__ import annotations

import ast
import sys
from collections.abc import Container, Iterator

from hookpm.packs.check import pyread, says, starts
from hookpm.packs.check.finding import Finding, Source
from hookpm.packs.check.pyread import Module

_GENERIC = frozenset(["dict", "frozenset", "list", "set", "tuple", "type"])
# The version that brought a name of the standard library.
_NEW_MODULES = {"graphlib": "3.9", "tomllib": "3.11", "zoneinfo": "3.9"}
_NEW_NAMES = {
    "ast.unparse": "3.9",
    "asyncio.TaskGroup": "3.11",
    "asyncio.timeout": "3.11",
    "asyncio.to_thread": "3.9",
    "contextlib.chdir": "3.11",
    "dataclasses.KW_ONLY": "3.10",
    "datetime.UTC": "3.11",
    "enum.StrEnum": "3.11",
    "functools.cache": "3.9",
    "itertools.batched": "3.12",
    "itertools.pairwise": "3.10",
    "math.lcm": "3.9",
    "types.NoneType": "3.10",
    "types.UnionType": "3.10",
    "typing.Annotated": "3.9",
    "typing.Never": "3.11",
    "typing.NotRequired": "3.11",
    "typing.ParamSpec": "3.10",
    "typing.Required": "3.11",
    "typing.Self": "3.11",
    "typing.TypeAlias": "3.10",
    "typing.TypeGuard": "3.10",
    "typing.assert_never": "3.11",
    "typing.override": "3.12",
}
_NEW_METHODS = {
    "bit_count": ("3.10", 'bin(n).count("1")'),
    "is_relative_to": ("3.9", "try: path.relative_to(other), except ValueError"),
    "removeprefix": ("3.9", "text[len(start):] if text.startswith(start) else text"),
    "removesuffix": ("3.9", "text[: -len(end)] if text.endswith(end) else text"),
    "with_stem": ("3.9", "path.with_name(...)"),
}
_GONE = frozenset(["asynchat", "asyncore", "cgi", "distutils", "imp", "smtpd"])  # in 3.8, not later


def findings(source: Source, module: Module, local: Container[str]) -> Iterator[Finding]:
    """All findings in one script. local: the names of the pack's own modules."""
    yield from _imports(source, module, local)
    yield from _syntax(source, module)
    yield from _exits(source, module)
    yield from _mixed(source, module)
    for words, line, number in pyread.commands(module):
        first, *rest = [*words] or line.split() or [""]
        if what := starts.from_network(first.rpartition("/")[2], rest):
            yield starts.network_finding(source, number, what)


def newer(source: Source) -> Iterator[Finding]:
    """Syntax that Python 3.8 does not have, as far as the parser itself tells."""
    try:
        ast.parse(source.text, feature_version=(3, 8))
    except SyntaxError as error:
        line = error.lineno or 1
        yield _too_new(source, line, error.msg or "newer syntax", "the same in older words")
    except (ValueError, RecursionError, MemoryError):
        return  # no text of Python's, or one beyond its own parser


def _too_new(source: Source, line: int, what: str, form: str) -> Finding:
    message = f"{what}; hooks run on whatever python3 there is, from 3.8 on"
    return source.at("python-version", line, message, form)


def _imports(source: Source, module: Module, local: Container[str]) -> Iterator[Finding]:
    for name, names, line, needed in pyread.imports(module):
        top = name.partition(".")[0]
        if not needed or top in local or top == "__future__":
            continue
        if top in _NEW_MODULES:
            what = f"{top} came with Python {_NEW_MODULES[top]}"
            yield _too_new(source, line, what, "another way, or try: ... except ImportError: ...")
        elif top not in sys.stdlib_module_names and top not in _GONE:
            yield source.at(
                "python-import",
                line,
                f"{top} is not in the standard library, and hooks see no site-packages",
                "the standard library, or a copy of the module in the pack",
            )
        for each in names:
            if since := _NEW_NAMES.get(f"{name}.{each}"):
                what = f"{name}.{each} came with Python {since}"
                yield _too_new(source, line, what, "if TYPE_CHECKING: for types, or another way")


def _syntax(source: Source, module: Module) -> Iterator[Finding]:
    assigned = {
        node.id
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    shown = set(map(id, _not_evaluated(module)))
    annotations = {id(n) for a in _evaluated(module) for n in ast.walk(a)}
    for node in ast.walk(module.tree):
        if id(node) in module.guarded or id(node) in shown:
            continue
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            name = node.value.id
            in_place = isinstance(node.ctx, ast.Load) and name not in assigned
            if name in _GENERIC and in_place and not _is_index(node):
                yield _too_new(
                    source,
                    node.lineno,
                    f"{ast.unparse(node)} is evaluated here, and needs Python 3.9",
                    "from __future__ import annotations, or a comment",
                )
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            if id(node) in annotations:
                yield _too_new(
                    source,
                    node.lineno,
                    f"{ast.unparse(node)} is evaluated here, and needs Python 3.10",
                    "from __future__ import annotations",
                )
        elif isinstance(node, ast.Call):
            yield from _calls(source, node)


def _is_index(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Constant) and not isinstance(node.slice.value, str | None)


def _calls(source: Source, node: ast.Call) -> Iterator[Finding]:
    name = pyread.name_of(node.func)
    if isinstance(node.func, ast.Attribute) and node.func.attr in _NEW_METHODS:
        since, form = _NEW_METHODS[node.func.attr]
        yield _too_new(source, node.lineno, f"{node.func.attr} came with Python {since}", form)
    elif name in _NEW_NAMES:
        what = f"{name} came with Python {_NEW_NAMES[name]}"
        yield _too_new(source, node.lineno, what, "another way")
    elif name == "zip" and any(keyword.arg == "strict" for keyword in node.keywords):
        yield _too_new(source, node.lineno, "zip(strict=...) came with Python 3.10", "zip(a, b)")


def _evaluated(module: Module) -> Iterator[ast.expr]:
    """The annotations that Python evaluates."""
    if not module.future:
        local = set(map(id, _local_annotations(module)))
        for annotation in _annotations(module.tree):
            if id(annotation) not in local:
                yield annotation


def _not_evaluated(module: Module) -> Iterator[ast.AST]:
    every = _annotations(module.tree) if module.future else _local_annotations(module)
    for annotation in every:
        yield from ast.walk(annotation)


def _annotations(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            yield node.returns


def _local_annotations(module: Module) -> Iterator[ast.expr]:
    """Those of a function's own variables, which Python never evaluates."""
    for block, function in pyread.blocks(module.tree):
        if function:
            yield from (each.annotation for each in block if isinstance(each, ast.AnnAssign))


def _exits(source: Source, module: Module) -> Iterator[Finding]:
    if not says.can_refuse(source):
        return
    for end in pyread.exits(module):
        if end.code not in ("0", "2") and says.refuses_in_words(end.told):
            what = f"exit code {end.code}" if end.code else "the exit code of a text, 1,"
            yield source.at(
                "exit-1",
                end.line,
                f"{what} is a failure, and a failure allows: nothing is blocked",
                "the reason on stderr and sys.exit(2), or a deny in JSON",
            )


def _mixed(source: Source, module: Module) -> Iterator[Finding]:
    """A text that is always printed before an answer in JSON."""
    for block, _ in pyread.blocks(module.tree):
        for index, statement in enumerate(block):
            if not pyread.prints_text(statement):
                continue
            rest = block[index + 1 :]
            ends = [i for i, s in enumerate(rest) if isinstance(s, ast.Return | ast.Raise)]
            for later in rest[: ends[0] if ends else None]:
                if isinstance(later, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                    continue
                if (found := pyread.prints_json(later)) is not None:
                    line = getattr(found, "lineno", later.lineno)
                    yield source.at(
                        "mixed-output",
                        statement.lineno,
                        f"this text goes to stdout before the JSON of line {line}: the whole is "
                        "no JSON any more, and Claude Code drops the answer",
                        "print(..., file=sys.stderr)",
                    )
                    break
