"""What hooks can answer, estimated from the text of their scripts. Pure; nothing is run.

For hooks that do not say what they need and use: those of Claude Code plugins.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping

from hookpm.contract.events import CANNOT_BLOCK, CAPABILITIES, DENIES, TEXT_IS_CONTEXT
from hookpm.packs import pluginline

_EXIT_2 = re.compile(
    r"\bexit\s*\(?\s*2\b|\bexitCode\s*=\s*2\b|\bExit\(2\)|\bexit_code\s*=\s*2\b|SystemExit\(2\)"
)
_RETURNS_2 = re.compile(r"\breturn 2\b(?=[\s\S]*\bsys\.exit\(\w+\()")  # sys.exit(main())
_FALSE = re.compile(r"[\"']?\bcontinue[\"']?\\?[\"']?\s*[:=]\s*(?:false|False)\b")
_PERMISSION = re.compile(r"permission_?[Dd]ecision\b|\bbehavior\b")
_DECISION = re.compile(r"\bdecision\b")
_PRINTS = re.compile(
    r"^(?!.*(?:>\s*&2|/dev/null|sys\.stderr|console\.error)).*"
    r"(?:\b(?:echo|printf|cat|print|console\.log|puts|say)\b|\bstdout\.write\b|<<)",
    re.MULTILINE,
)
_COMMENT = re.compile(r"^\s*(?:#|//|\*|/\*).*$", re.MULTILINE)
_CODE = (".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php")
_PROGRAMS = re.compile(
    r"(?:^|[;&|(`]|\$\(|\b(?:if|then|do|else|while|!))\s*"
    r"(jq|git|gh|node|npx|bun|deno|python3|uv|uvx|ruby|perl|php|curl)\s",
    re.MULTILINE,
)
_SHEBANG = re.compile(r"#!\s*(?:/usr/bin/env\s+(?:-S\s+)?)?(?:\S*/)?([A-Za-z][\w.-]*)")
# Programs that answer nothing by themselves, and the shell's own words.
_PLAIN = re.compile(
    r"echo|printf|cat|jq|grep|sed|awk|date|test|true|exit|mkdir|tee|touch|git|notify-send|osascript"
    r"|afplay|say|curl|cd|export|set|fi|for|done|case|esac|xargs|tr|cut|head|tail|sort|wc|ls|rm|cp"
    r"|mv|basename|dirname|sleep|trap|local|return|read|\[+|:"
)
_RUNS = re.compile(r"(?:ba|z|da)?sh|python[\d.]*|node|bun|deno|ruby|perl|env|source|\.")
_LONGEST = 2_000_000  # characters of a script that are looked at


def words(event: str, text: str) -> tuple[str, ...]:
    """The capability words of an event that a script with this text seems to answer with."""
    code = _COMMENT.sub("", text[:_LONGEST])
    refusal = "deny" if event in DENIES else "block"
    found = set()
    if (_EXIT_2.search(code) or _RETURNS_2.search(code)) and event not in CANNOT_BLOCK:
        found.add(refusal)
    if _PERMISSION.search(code):
        found |= {w for w in ("deny", "ask", "allow", "defer") if _literal(w, code)}
    if _DECISION.search(code):
        found |= {refusal} if _literal("block", code) else set()
        found |= {"allow"} if _literal("approve", code) else set()
    found |= {w for w in ("updatedInput", "additionalContext", "systemMessage") if w in code}
    if _FALSE.search(code):
        found.add("continue:false")
    if event in TEXT_IS_CONTEXT and _PRINTS.search(code):
        found.add("additionalContext")
    return tuple(word for word in CAPABILITIES[event] if word in found)


def _literal(word: str, code: str) -> bool:
    """Does the word stand in quotes, escaped ones included?"""
    return re.search(rf"[\"'`]{word}\\?[\"'`]", code) is not None


def programs(text: str) -> set[str]:
    """The programs that a script seems to need: its interpreter, and well-known ones it calls."""
    code = _COMMENT.sub("", text[:_LONGEST])
    found = (
        set(_PROGRAMS.findall(code)) if not text.startswith("#!") or "sh" in text[:40] else set()
    )
    shebang = _SHEBANG.match(text)
    if shebang and shebang[1] not in ("sh", "env"):
        found.add(shebang[1])
    return found


def reading(scripts: Collection[str], texts: Mapping[str, str]) -> list[str]:
    """The scripts, and those of the other files of code that they seem to load, one by another.

    texts: path -> text of every file of code.
    """
    known = {path: _names(path) for path in texts if path.endswith(_CODE)}
    todo = [path for path in scripts if path in texts]
    found: dict[str, None] = dict.fromkeys(todo)
    while todo:
        spoken = set(re.findall(r"[A-Za-z_][\w-]*", texts[todo.pop()]))
        for path, names in known.items():
            if path not in found and names & spoken:
                found[path] = None
                todo.append(path)
    return list(found)


def _names(path: str) -> set[str]:
    """The words by which another script would load a file."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    if stem in ("__init__", "__main__", "index"):
        stem = posixpath.basename(posixpath.dirname(path))
    return {stem} if stem else set()


def opaque(line: str, scripts: Collection[str]) -> list[str]:
    """The programs that a shell line starts and that nobody can read: what they answer is unknown.

    scripts: the files that the line names and that can be read.
    """
    given = bool(scripts) or re.search(r"\s-l?[ce]\s|<<", line) is not None
    found = []
    for head in pluginline.heads(line):
        name = head.rpartition("/")[2]
        plain = _PLAIN.fullmatch(name) and not head.startswith(("$", "{"))
        if head not in scripts and not plain and not (given and _RUNS.fullmatch(name)):
            found.append(head)
    return found
