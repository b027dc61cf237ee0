"""A registry of thousands of packs that is made up while it is asked: any page, any archive."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from hookpm.packs import archive, content
from hookpm.packs.content import FileEntry
from hookpm.registry.index import (
    FORMAT,
    HookLine,
    Index,
    Listing,
    PackPage,
    Release,
    encode,
)

GROUP = 30  # packs: whoever wants the first of a group gets all of them
_WORDS = ("block", "check", "deny", "format", "guard", "lint", "log", "review", "scan", "test")


class Generated:
    """`packs` packs with `versions` versions each, in groups that depend on one another.

    `answer` is what a site's `elsewhere` is: path -> bytes. The first pack of a group needs two
    others, these two more each, and so on; all need the group's base, in versions that its newest
    ones are not.
    """

    def __init__(self, packs: int, versions: int) -> None:
        self.packs = packs
        self.versions = versions
        self.names = [self._name(number) for number in range(packs)]
        self._numbers = {name: number for number, name in enumerate(self.names)}
        self.page = lru_cache(None)(self._page)
        self.index = lru_cache(None)(self._index)

    def answer(self, path: str) -> bytes | None:
        """What lies at a path of the registry."""
        if path == "/index.json":
            return self.index()
        kind, _, name = path[1:].partition("/")
        if kind == "packs":
            number = self._numbers.get(name.removesuffix(".json"))
            return None if number is None else self.page(number)
        name, _, version = name.removesuffix(".tar.gz").rpartition("-")
        number = self._numbers.get(name)
        return None if number is None else self._archive(number, version)

    def _index(self) -> bytes:
        latest = f"1.{self.versions - 1}.0"
        packs = {
            name: Listing(description=_description(name, number), latest=latest)
            for number, name in enumerate(self.names)
        }
        return encode(Index(format=FORMAT, packs=packs))

    def group(self, number: int) -> list[str]:
        """The names of the packs that the first of a group brings, itself included."""
        return self.names[number * GROUP : (number + 1) * GROUP]

    def _name(self, number: int) -> str:
        group, place = divmod(number, GROUP)
        word = "base" if place == GROUP - 1 else _WORDS[place % len(_WORDS)]
        return f"{word}-{group:04}-{place:02}"

    def _wants(self, number: int) -> dict[str, str]:
        group, place = divmod(number, GROUP)
        if place == GROUP - 1:
            return {}
        below = [each for each in (2 * place + 1, 2 * place + 2) if each < GROUP - 1]
        wants = {self.names[group * GROUP + each]: ">=1.0,<2" for each in below}
        newest = self.versions - 1 - place % 5
        return {**wants, self.names[group * GROUP + GROUP - 1]: f">=1.0,<=1.{newest}"}

    def _page(self, number: int) -> bytes:
        name = self.names[number]
        releases = []
        for minor in range(self.versions):
            data = self._archive(number, f"1.{minor}.0")
            releases.append(
                Release(
                    version=f"1.{minor}.0",
                    archive=f"archives/{archive.file_name(name, f'1.{minor}.0')}",
                    sha256=hashlib.sha256(data).hexdigest(),
                    size=len(data),
                    description=_description(name, number),
                    requires_hookpm=">=0.1",
                    dependencies=dict(sorted(self._wants(number).items())),
                    hooks=(
                        HookLine(
                            id="h", event="PreToolUse", matcher="Bash", needs=("deny",), uses=()
                        ),
                    ),
                )
            )
        return encode(PackPage(format=FORMAT, name=name, versions=tuple(releases)))

    def _archive(self, number: int, version: str) -> bytes:
        name = self.names[number]
        wants = "".join(f'{n} = "{s}"\n' for n, s in sorted(self._wants(number).items()))
        manifest = (
            f'[pack]\nname = "{name}"\nversion = "{version}"\n'
            f'description = "{_description(name, number)}"\nrequires-hookpm = ">=0.1"\n\n'
            f'[dependencies]\n{wants}\n[[hooks]]\nid = "h"\nevent = "PreToolUse"\n'
            'matcher = "Bash"\ncommand = "true"\nneeds = ["deny"]\n'
        )
        files = {"hookpack.toml": FileEntry(manifest.encode(), False)}
        return archive.build(content.from_files(files, name))


def _description(name: str, number: int) -> str:
    word = _WORDS[number % len(_WORDS)]
    return f"Lets coding agents {word} what the team {number % 97} asked for in {name}"
