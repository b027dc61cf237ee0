"""Every pack that `pack new` can make is one that works."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hookpm.contract.events import EVENTS
from hookpm.errors import RefusedError
from hookpm.packs import content, new
from hookpm.project.trying import casetest

EACH = [(lang, event) for lang in new.LANGUAGES for event in EVENTS]


@pytest.mark.parametrize(("lang", "event"), EACH)
def test_a_new_pack_passes_its_own_cases(tmp_path: Path, lang: str, event: str) -> None:
    new.write(new.files("mine", lang=lang, event=event), tmp_path / "mine")
    tested = casetest.run(tmp_path / "mine")
    assert tested.outcomes
    assert [each.complaint for each in tested.failed] == []


@pytest.mark.parametrize("lang", new.LANGUAGES)
@pytest.mark.parametrize("told", ['says "no\\" to {it}', "ABOUT '''", 'quoted"', "ö → 漢字."])
def test_any_description_is_taken_as_it_is(tmp_path: Path, lang: str, told: str) -> None:
    folder = tmp_path / "mine"
    new.write(new.files("mine", lang=lang, event="PreToolUse", description=told), folder)
    assert content.read(folder).manifest.pack.description == told
    assert casetest.run(folder).failed == ()


def test_nothing_that_is_there_is_written_over(tmp_path: Path) -> None:
    files = new.files("mine", lang="sh", event="Stop")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_text("x")
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("full", "file", "link"):
        with pytest.raises(RefusedError, match="there already"):
            new.write(files, tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["file", "full", "link"]
    assert os.listdir(tmp_path / "full") == ["a"]
    (tmp_path / "empty").mkdir()
    new.write(files, tmp_path / "empty")
    assert sorted(os.listdir(tmp_path / "empty")) == sorted({p.split("/")[0] for p in files})
