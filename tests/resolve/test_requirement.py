from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookpm.errors import UsageError
from hookpm.resolve.requirement import (
    GitRequirement,
    NameRequirement,
    PathRequirement,
    parse,
    placed,
    specifier,
)


@pytest.mark.parametrize(
    ("text", "name", "versions"),
    [
        ("protect-secrets", "protect-secrets", ""),
        ("protect-secrets==1.0.0", "protect-secrets", "==1.0.0"),
        ("protect-secrets>=1,<2", "protect-secrets", "<2,>=1"),
        (" protect-secrets >= 1 , < 2 ", "protect-secrets", "<2,>=1"),
        ("a2~=1.2", "a2", "~=1.2"),
        ("a==1.*", "a", "==1.*"),
    ],
)
def test_a_name_with_versions_is_read(text: str, name: str, versions: str) -> None:
    found = parse(text)
    assert isinstance(found, NameRequirement)
    assert (found.name, str(found.specifier)) == (name, versions)


@pytest.mark.parametrize("text", ["./path", "../path", "/abs", "~/x", ".", "..", "a/b", "pack/"])
def test_what_looks_like_a_path_is_one(text: str) -> None:
    assert parse(text) == PathRequirement(text)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("protect-secrets@1.0", "did you mean protect-secrets==1.0?"),
        ("protect-secrets@latest", "did you mean protect-secrets?"),
        ("protect-secrets=1", "did you mean protect-secrets==1?"),
        ("protect-secrets^1.2", "did you mean 'protect-secrets~=1.2'?"),
        ("protect-secrets^1", "did you mean 'protect-secrets~=1.0'?"),
        ("protect-secrets=>1", "did you mean 'protect-secrets>=1'?"),
        ("protect-secrets==1.x", "did you mean 'protect-secrets==1.*'?"),
        ("protect-secrets 1.0", "did you mean protect-secrets==1.0?"),
        ("Protect_Secrets>=1", "did you mean 'protect-secrets>=1'?"),
        ("protect-secrets>=1, =<2", "did you mean 'protect-secrets>=1,<=2'?"),
        ("protect-secrets>=1 <2", "did you mean 'protect-secrets>=1,<2'?"),
        ("protect-secrets>=1;", "a requirement is"),
        ("protect-secrets[x]", "a requirement is"),
        ("@scope", "a requirement is"),
        ("", "name a pack"),
        ("https://x.example/r@v1", "did you mean git+https://x.example/r@v1?"),
        ("ssh://git@x.example/r", "did you mean git+ssh://git@x.example/r?"),
        (
            "https://x.example/a/r/tree/v1/packs/b",
            "did you mean git+https://x.example/a/r@v1#subdirectory=packs/b?",
        ),
        (
            "https://x.example/a/r/-/tree/main/b",
            "did you mean git+https://x.example/a/r@main#subdirectory=b?",
        ),
        ("git+https://x.example/a/r==1.0", "name a tag"),
        ("git+https://x.example/a/r@>=1.0", "name a tag"),
        ("https://token@x.example/r", "write git+ in front"),
        ("https://token@x.example/r/tree/main/x", "write git+ in front"),
        ("https://x.example/r?token", "write git+ in front"),
        ("git+https://x.example/r@", "behind the last @"),
        ("git+https://x.example/r@--upload-pack=x", "behind the last @"),
        ("git+https://x.example/r#egg=r", "#subdirectory="),
        ("git+https://token@x.example/r", "credential helper"),
        ("git+ext::sh -c x", "write https://"),
    ],
)
def test_what_cannot_be_read_gets_a_way_out(text: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("text", "url", "name", "subfolder"),
    [
        ("git+https://x.example/a/r", "https://x.example/a/r", "", ""),
        ("git+https://x.example/a/r@v1.4.0", "https://x.example/a/r", "v1.4.0", ""),
        (
            "git+https://x.example/a/r.git@v1#subdirectory=./packs/guard/",
            "https://x.example/a/r.git",
            "v1",
            "packs/guard",
        ),
        ("git+ssh://git@x.example/a/r", "ssh://git@x.example/a/r", "", ""),
        ("git+ssh://git@x.example/a/r@topic", "ssh://git@x.example/a/r", "topic", ""),
        ("git@x.example:a/r.git@v1", "ssh://git@x.example/a/r.git", "v1", ""),
        ("git@x.example:r", "ssh://git@x.example/r", "", ""),
        ("git+git@x.example:r#subdirectory=p", "ssh://git@x.example/r", "", "p"),
        ("git+file:///srv/r@refs/heads/main", "file:///srv/r", "refs/heads/main", ""),
    ],
)
def test_a_git_address_is_read(text: str, url: str, name: str, subfolder: str) -> None:
    assert parse(text) == GitRequirement(url, name, subfolder)


def test_a_branch_with_a_slash_stands_behind_the_at() -> None:
    found = parse("git+https://x.example/r@feature/one")
    assert found == GitRequirement("https://x.example/r", "feature/one")


@pytest.mark.parametrize(
    "text",
    [
        "git+https://user:s3cret@x.example/r@v1",
        "https://s3cret@x.example/r",
        "https://x.example/r?s3cret=1",
        "ssh://git:s3cret@x.example/r",
        "git+ssh://git:s3cret@x.example/r#subdirectory=x",
    ],
)
def test_what_may_be_a_secret_is_not_repeated(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert "s3cret" not in f"{caught.value.message} {caught.value.cause} {caught.value.hint}"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("guard=1", "=1"),
        ("guard>=1,=2", "=2"),
        ("guard>=1, >=x", "x"),
        ("guard~=1", "1"),
        ("guard===1", "===1"),
        ("guard>=1,", ""),
    ],
)
def test_a_caret_stands_under_the_place(text: str, place: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    _, shown, caret = (caught.value.cause or "").split("\n")
    assert shown[caret.index("^") :] == place


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("./x", "./sub/x"),
        ("../x", "./x"),
        ("../../house", "../house"),
        (".", "./sub"),
        ("{base}/../y", "../y"),
        ("~/z", "../home/z"),
    ],
)
def test_a_typed_path_is_stored_relative_to_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, stored: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    base = tmp_path / "repo"
    typed = typed.format(base=base)
    assert placed(typed, base / "sub", base) == PathRequirement(stored)


def test_a_specifier_of_hookpm_toml_is_read_the_same_way() -> None:
    assert str(specifier("~=1.2")) == "~=1.2"
    assert str(specifier("*")) == str(specifier("")) == ""
    with pytest.raises(UsageError, match="cannot read"):
        specifier("1.2")


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    try:
        found = parse(text)
    except UsageError as error:
        assert error.hint or error.cause
    else:
        assert found
