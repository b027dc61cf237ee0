"""What a manifest must hold beyond its types: names, versions, events, words, limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from hookpm.contract import hooksfile
from hookpm.contract.events import CAPABILITIES, CLAUDE_EVENTS, EVENTS
from hookpm.edit.tomltext import Key, failure, near, one_of
from hookpm.errors import FileFormatError
from hookpm.packs import names, options
from hookpm.packs.manifest import MAX_TIMEOUT, Hook, Manifest, Option

# Where an agent drops one of these, a pack may have it denied instead: each holds the call back.
FALLBACK_WORDS = ("ask", "defer", "updatedInput", "continue:false")

# What people write for a word of the contract, in the order of likelihood.
_MEANT = {
    "block": ("deny",),
    "deny": ("block",),
    "reject": ("deny", "block"),
    "approve": ("allow",),
    "rewrite": ("updatedInput",),
    "context": ("additionalContext",),
    "stop": ("continue:false",),
    "continue": ("continue:false",),
    "message": ("systemMessage",),
}

Fail = Callable[..., FileFormatError]


def check(manifest: Manifest, text: str, file: Path | str) -> None:
    """Raise FileFormatError for the first rule that `manifest` (of `text`) breaks."""

    def fail(path: tuple[Key, ...], message: str, hint: str | None = None) -> FileFormatError:
        return failure(text, file, path, message, hint=hint)

    _check_pack(manifest, fail)
    _check_dependencies(manifest, fail)
    for name, option in manifest.options.items():
        _check_option(name, option, fail)
    seen: dict[str, int] = {}
    for index, hook in enumerate(manifest.hooks):
        if hook.id in seen:
            raise fail(
                ("hooks", index, "id"),
                f"two hooks have the id {hook.id}",
                "disable, audit and notes name a hook by its id: it has to be its own",
            )
        seen[hook.id] = index
        _check_hook(index, hook, fail)


def word_problem(event: str, word: str) -> tuple[str, str | None] | None:
    """Why `word` is no capability of `event`: message and hint; None if it is one."""
    allowed = CAPABILITIES[event]
    if word in allowed:
        return None
    if not allowed:
        return f"at {event} an answer has no effect, so `{word}` cannot be asked for", None
    meant = next((w for w in _MEANT.get(word, ()) if w in allowed), None) or near(word, allowed)
    hint = f"did you mean {meant}? " if meant else ""
    return f"`{word}` is no answer at {event}", f"{hint}Allowed: {', '.join(allowed)}"


def event_problem(event: str) -> tuple[str, str | None] | None:
    """Why a hook cannot have `event`: message and hint; None if it can."""
    if event in EVENTS:
        return None
    if event in CLAUDE_EVENTS:
        return f"the event {event} is Claude Code's only", f"hookpm carries {one_of(EVENTS)}"
    meant = near(event, EVENTS)
    hint = f"did you mean {meant}?" if meant else f"events: {', '.join(EVENTS)}"
    return f"unknown event {event!r}", hint


def _check_pack(manifest: Manifest, fail: Fail) -> None:
    pack = manifest.pack
    if problem := names.name_problem(pack.name):
        meant = names.likely_name(pack.name)
        raise fail(
            ("pack", "name"),
            f"{pack.name!r} cannot be a pack's name: {problem}",
            f"did you mean {meant}?" if meant else None,
        )
    if problem := names.version_problem(pack.version):
        raise fail(("pack", "version"), f"{pack.version!r} cannot be a pack's version: {problem}")
    if problem := names.specifier_problem(pack.requires_hookpm):
        raise fail(
            ("pack", "requires-hookpm"), f"requires-hookpm is {pack.requires_hookpm!r}: {problem}"
        )
    if not pack.description.strip() or "\n" in pack.description:
        raise fail(("pack", "description"), "the description has to be one line of text")
    for program in manifest.requires.programs:
        if not program or "/" in program or "\\" in program or " " in program:
            raise fail(
                ("requires", "programs"),
                f"{program!r} is not the name of a program",
                "programs are looked for on PATH: names without folders or arguments",
            )


def _check_dependencies(manifest: Manifest, fail: Fail) -> None:
    for name, specifier in manifest.dependencies.items():
        path = ("dependencies", name)
        if problem := names.name_problem(name):
            raise fail(path, f"{name!r} cannot be a pack's name: {problem}")
        if problem := names.specifier_problem(specifier):
            raise fail(path, f"{name} = {specifier!r}: {problem}", 'any version is ""')
        if name == manifest.name:
            raise fail(path, f"{name} depends on itself")


def _check_option(name: str, option: Option, fail: Fail) -> None:
    path = ("options", name)
    if options.NAME.fullmatch(name) is None:
        raise fail(path, f"{name!r} cannot name an option: letters, digits, - and _ are allowed")
    kind = options.ITEM_TYPES[option.type]
    if option.choices is not None:
        if option.type == "bool" or not option.choices:
            raise fail((*path, "choices"), f"option {name}: choices of {option.type} make no sense")
        for choice in option.choices:
            if problem := options.value_problem(choice, kind, None):
                raise fail((*path, "choices"), f"option {name}: {choice!r} in choices {problem}")
    if problem := options.value_problem(option.default, option.type, option.choices):
        raise fail((*path, "default"), f"option {name}: the default {problem}")


def _check_hook(index: int, hook: Hook, fail: Fail) -> None:
    from hookpm.contract import matcher

    at: tuple[Key, ...] = ("hooks", index)
    if problem := names.name_problem(hook.id):
        raise fail((*at, "id"), f"{hook.id!r} cannot be a hook's id: {problem}")
    if found := event_problem(hook.event):
        raise fail((*at, "event"), f"hook {hook.id}: {found[0]}", found[1])
    if problem := matcher.problem(hook.matcher):
        raise fail((*at, "matcher"), f"hook {hook.id}: matcher {hook.matcher!r}: {problem}")
    if not 0 < hook.timeout <= MAX_TIMEOUT:
        raise fail(
            (*at, "timeout"),
            f"hook {hook.id}: timeout is {hook.timeout:g}",
            f"allowed are seconds above 0, up to {MAX_TIMEOUT:g}"
            + (f": did you mean {hook.timeout / 1000:g}?" if hook.timeout > MAX_TIMEOUT else ""),
        )
    _check_what_runs(at, hook, fail)
    _check_words(at, hook, fail)
    for agent in hook.agents or ():
        if problem := names.name_problem(agent):
            raise fail((*at, "agents"), f"hook {hook.id}: {agent!r} names no agent: {problem}")


def _check_what_runs(at: tuple[Key, ...], hook: Hook, fail: Fail) -> None:
    given = [key for key in ("run", "command", "url") if getattr(hook, key) is not None]
    if len(given) != 1:
        raise fail(
            (*at, given[1]) if given else at,
            f"hook {hook.id} has both {' and '.join(given)}"
            if given
            else f"hook {hook.id} has neither run nor command",
            "give one of them: run = a file of the pack, command = a shell line, url = where the "
            "input is sent to",
        )
    _check_request(at, hook, fail)
    if hook.command is not None and not hook.command.strip():
        raise fail((*at, "command"), f"hook {hook.id}: the command is empty")
    if hook.run is not None and (problem := names.path_problem(hook.run)):
        raise fail(
            (*at, "run"),
            f"hook {hook.id}: run is {hook.run!r}: {problem}",
            "run names a file inside the pack, with forward slashes and no arguments",
        )


def _check_request(at: tuple[Key, ...], hook: Hook, fail: Fail) -> None:
    """The URL and what goes with it, by the rules of the hooks file."""
    if hook.url is None:
        for key, value in (("headers", hook.headers), ("allowed-env", hook.allowed_env)):
            if value:
                raise fail((*at, key), f"hook {hook.id}: {key} belongs to a url")
        return
    handler = {"type": "http", "url": hook.url, "headers": hook.headers}
    wrong = hooksfile.check({"hooks": {hook.event: [{"hooks": [handler]}]}})
    if wrong:
        raise fail((*at, "url"), f"hook {hook.id}: {wrong[0].message}")


def _check_words(at: tuple[Key, ...], hook: Hook, fail: Fail) -> None:
    for key, words in (("needs", hook.needs), ("uses", hook.uses), ("fallback", hook.fallback)):
        for word in words:
            if found := word_problem(hook.event, word):
                raise fail((*at, key), f"hook {hook.id}: {key}: {found[0]}", found[1])
    if twice := _twice((*hook.needs, *hook.uses)):
        raise fail((*at, "uses"), f"hook {hook.id}: `{twice}` is listed twice in needs and uses")
    for word in hook.fallback:
        path = (*at, "fallback")
        if word not in FALLBACK_WORDS:
            raise fail(
                path,
                f"hook {hook.id}: there is no fallback for `{word}`",
                f"a fallback is for {one_of(FALLBACK_WORDS)}",
            )
        if word not in hook.needs and word not in hook.uses:
            raise fail(
                path,
                f"hook {hook.id} has a fallback for `{word}`, but neither needs nor uses it",
                f'add "{word}" to uses',
            )


def _twice(words: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            return word
        seen.add(word)
    return None
