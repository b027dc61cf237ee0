from __future__ import annotations

from pathlib import Path

import pytest

from hookpm.contract.answer import Answer
from hookpm.errors import FileFormatError
from hookpm.packs import cases, content, manifest

GOOD = """\
[[case]]
name = "stops"
event = "PreToolUse"
tool = "Edit"
input = { file_path = ".env" }
expect = "deny"
reason = "secret"
options = { extra = ["a"] }

[[case]]
name = "tells"
event = "SessionStart"
input = { source = "startup" }
expect = "context"
context = "hello"
"""


def parse(text: str, manifest_text: str) -> tuple[cases.Case, ...]:
    return cases.parse(text, "cases/a.toml", manifest.parse(manifest_text, "hookpack.toml"))


def test_a_case_knows_its_line_and_its_input(manifest_text: str) -> None:
    stops, tells = parse(GOOD, manifest_text)
    assert (stops.place, tells.place) == ("cases/a.toml:1", "cases/a.toml:10")
    assert stops.payload() == {
        "hook_event_name": "PreToolUse",
        "tool_name": "Edit",
        "tool_input": {"file_path": ".env"},
    }
    assert tells.payload() == {"hook_event_name": "SessionStart", "source": "startup"}


def test_a_text_that_looks_like_a_case_does_not_shift_the_lines(manifest_text: str) -> None:
    text = GOOD.replace('".env"', "'''\n[[case]]\n'''")
    assert [case.line for case in parse(text, manifest_text)] == [1, 12]


def test_the_options_of_a_case_are_merged_with_the_defaults(manifest_text: str) -> None:
    assert parse(GOOD, manifest_text)[0].options == {"extra": ["a"], "level": "high"}


def test_a_case_after_a_tool_gives_its_response(manifest_text: str) -> None:
    text = GOOD.replace("PreToolUse", "PostToolUse").replace('"deny"', '"block"')
    text = text.replace('reason = "secret"', "response = { ok = true }")
    assert parse(text, manifest_text)[0].payload()["tool_response"] == {"ok": True}


def test_the_cases_of_a_pack_are_found_in_its_cases_folder(pack: Path) -> None:
    (pack / "cases" / "deep").mkdir()
    (pack / "cases" / "deep" / "b.toml").write_text(GOOD)
    (pack / "cases" / "README.md").write_text("no case")
    found = cases.of(content.read(pack), pack)
    assert [c.place for c in found] == [
        "cases/a.toml:1",
        "cases/deep/b.toml:1",
        "cases/deep/b.toml:10",
    ]


@pytest.mark.parametrize(
    ("old", "new", "said", "line"),
    [
        ('tool = "Edit"\n', "", "needs a tool", 3),
        ('expect = "deny"', 'expect = "block"', "did you mean deny", 6),
        ('expect = "deny"', 'expect = "denied"', "did you mean deny", 6),
        ('expect = "deny"', 'expect = "none"', "no text to look for", 6),
        ('expect = "context"', 'expect = "stop"', "possible there: context, none", 14),
        ('"PreToolUse"', '"PreTool"', "did you mean PreToolUse", 3),
        ('context = "hello"', 'tool = "Bash"', "has no tool", 15),
        ('context = "hello"', "rewrite = {}", "nothing is rewritten", 15),
        ('context = "hello"', 'reason = "x"', "has no reason", 15),
        ('".env"', "2020-01-01", "a date or a number that JSON lacks", 5),
        ('".env"', "nan", "a date or a number that JSON lacks", 5),
        ("extra =", "extras =", "did you mean extra", 8),
        ("reason =", "reasons =", "did you mean `reason`", 7),
    ],
)
def test_a_wrong_case_is_refused_at_its_line(
    manifest_text: str, old: str, new: str, said: str, line: int
) -> None:
    with pytest.raises(FileFormatError) as caught:
        parse(GOOD.replace(old, new, 1), manifest_text)
    assert said in f"{caught.value.message} {caught.value.hint}"
    assert caught.value.line == line


def answer(**fields: object) -> Answer:
    made = Answer()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def case(expect: str, **fields: object) -> cases.Case:
    blank = cases.Case("n", "PreToolUse", "Bash", {}, None, "none", None, None, None, {}, "f", 1)
    return blank._replace(expect=expect, **fields)  # type: ignore[arg-type]


ANSWERS = {
    "deny": answer(decision="deny", reason="a secret"),
    "ask": answer(decision="ask"),
    "allow": answer(decision="allow"),
    "defer": answer(decision="defer"),
    "block": answer(decision="block"),
    "rewrite": answer(updated_input={"command": "ls", "x": 1}),
    "context": answer(contexts=["one", "two"]),
    "stop": answer(stop=True, stop_reason="enough"),
    "none": answer(),
}


@pytest.mark.parametrize("expected", ANSWERS)
def test_each_outcome_is_met_by_its_own_answer_only(expected: str) -> None:
    met = [
        name for name, given in ANSWERS.items() if cases.complaint(case(expected), given) is None
    ]
    assert met == [expected]


def test_a_complaint_says_what_came_instead() -> None:
    said = cases.complaint(case("none"), ANSWERS["deny"])
    assert said == "expected none, got deny: a secret"
    assert cases.complaint(case("none"), answer(system_message="x")) is not None
    both = answer(decision="allow", updated_input={})
    assert cases.complaint(case("rewrite"), both) is None
    assert cases.complaint(case("deny"), both) == "expected deny, got allow and rewrite"


def test_texts_are_looked_for_as_parts() -> None:
    assert cases.complaint(case("deny", reason="secret"), ANSWERS["deny"]) is None
    assert cases.complaint(case("deny", reason="Secret"), ANSWERS["deny"]) is not None
    assert cases.complaint(case("stop", reason="enough"), ANSWERS["stop"]) is None
    assert cases.complaint(case("context", context="tw"), ANSWERS["context"]) is None
    assert cases.complaint(case("context", context="three"), ANSWERS["context"]) is not None


def test_a_rewrite_must_have_the_given_keys_and_may_have_more() -> None:
    given = ANSWERS["rewrite"]
    assert cases.complaint(case("rewrite", rewrite={"command": "ls"}), given) is None
    assert cases.complaint(case("rewrite", rewrite={"command": "rm"}), given) is not None
    assert cases.complaint(case("rewrite", rewrite={"y": 1}), given) == (
        "the rewritten input has no y"
    )
