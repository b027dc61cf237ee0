"""README.md, CONTRIBUTING.md, CHANGELOG.md and docs/: commands and links in them are true."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookpm import agents
from hookpm.cli import parser
from hookpm.cli.commands import COMMANDS
from hookpm.cli.pack import VERBS
from hookpm.errors import UsageError
from tests.project.world import World

CHECKOUT = Path(__file__).resolve().parents[2]
GENERATED = {"docs/agents.md"}
PACK = {"hookpack.toml": "[pack]", "guard.py": "import json", "cases/all.toml": "[[case]]"}
HASHED = "packs/"  # what a published version holds stays as it is
PAGES = sorted(
    path.relative_to(CHECKOUT).as_posix()
    for path in (
        *CHECKOUT.glob("*.md"),
        *CHECKOUT.glob("docs/*.md"),
        *CHECKOUT.glob("packs/*/*.md"),
    )
)
WRITTEN = [page for page in PAGES if page not in GENERATED and not page.startswith(HASHED)]


def text(page: str) -> str:
    return (CHECKOUT / page).read_text("utf-8")


def command_lines(page: str) -> Iterator[str]:
    """Each command line of hookpm's on a page."""
    fenced = re.sub(r"^```.*?^```", "", text(page), flags=re.MULTILINE | re.DOTALL)
    for line in re.findall(r"^    (.*)", fenced, re.MULTILINE):
        for part in line.partition("  #")[0].split(" && "):
            if part.startswith("hookpm "):
                yield part.strip()
    prose = re.sub(r"^    .*", "", fenced, flags=re.MULTILINE)
    for code in re.findall(r"`(hookpm [^`]+)`", prose):
        yield " ".join(code.split())


@pytest.mark.parametrize("page", PAGES)
def test_every_command_on_a_page_is_one_that_hookpm_takes(page: str) -> None:
    for line in command_lines(page):
        words = shlex.split(line)[1:]
        if words[0] in ("--help", "--version", "COMMAND"):
            continue
        try:
            assert parser.parse(words) is not None, line
        except UsageError as error:
            short = "are required" in error.message and len(words) <= 2  # `hookpm install`
            assert short, f"{page}: {line}: {error.message}"


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_leads_to_a_file_or_a_heading(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, heading = target.partition("#")
        file = (CHECKOUT / page).parent / path if path else CHECKOUT / page
        assert file.exists(), f"{page}: {target}"
        if heading:
            heads = re.findall(r"^#+ (.*)", file.read_text("utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head in heads}
            assert heading in slugs, f"{page}: {target}"


@pytest.mark.parametrize("page", WRITTEN)
def test_a_page_has_no_line_longer_than_120_but_rows_of_tables(page: str) -> None:
    for number, line in enumerate(text(page).splitlines(), 1):
        assert len(line) <= 120 or line.startswith("|"), f"{page}:{number}"


def test_the_pack_of_the_page_about_packs_is_one_that_works(world: World) -> None:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", text("docs/packs.md"), re.MULTILINE | re.DOTALL)
    folder = world.repo / "no-force-push"
    (folder / "cases").mkdir(parents=True)
    for path, sign in PACK.items():
        (content,) = [body for _, body in blocks if sign in body]
        (folder / path).write_text(content)
    world.ok("pack", "check", folder)
    tested = world.ok("pack", "test", folder, "--agent", "all", "--json").json
    assert (tested["passed"], tested["failed"]) == (1, 0)
    call = ("--tool", "Bash", "--input", '{"command": "git push --force mine"}')
    asked = world.ok("try", folder, *call, "--agent", "claude", "--agent", "codex", "--json").json
    assert [each["decision"] for each in asked["tries"]] == ["ask", "deny"]


def test_the_agents_of_the_readme_are_those_of_the_tables() -> None:
    rows = [line for line in text("README.md").splitlines() if line.count(" | ") == 2]
    found = [agents.facts_of(name) for name in agents.names()]
    for facts in found:
        how = f"measured on {facts.version}" if facts.basis == "observed" else "documentation"
        assert any(how in row and facts.title.split()[0] in row for row in rows), facts.name
    known = len(agents.not_wired())
    assert known == 14
    assert "Fourteen more agents are known" in text("README.md")


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/how-it-works.md"])
def test_the_house_on_a_page_has_the_rooms_that_there_are(page: str) -> None:
    house = text(page)
    for top in ("hookpm", "hookpm/project"):
        for folder in (CHECKOUT / top).iterdir():
            if (folder / "__init__.py").is_file():
                assert re.search(rf"\b{folder.name}\b", house), f"{page}: {top}/{folder.name}"


def test_every_page_stands_in_the_index_of_the_readme() -> None:
    index = text("README.md").partition("## Documentation")[2]
    for page in PAGES:
        if page.startswith("docs/"):
            assert f"]({page})" in index, page


def test_every_command_stands_in_the_readme() -> None:
    listed = text("README.md").partition("## Commands")[2].partition("\n## ")[0]
    for command in (*COMMANDS, *VERBS):
        assert re.search(rf"`[^`]*\b{command}\b[^`]*`", listed), command
