from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookpm.edit import tomltext
from hookpm.errors import FileFormatError, NotFoundError, SystemFailureError
from hookpm.packs import manifest


def test_every_field_of_the_format_is_read(pack: Path) -> None:
    found = manifest.load(pack)
    assert (found.name, found.version) == ("guard", "1.0.0")
    assert found.pack.requires_hookpm == ">=0.1"
    assert found.requires.programs == ("git",)
    assert found.dependencies == {"patterns": ">=1,<2"}
    assert found.options["level"].choices == ("low", "high")
    hook = found.hook("guard-files")
    assert hook is not None
    assert (hook.run, hook.timeout, hook.fallback) == ("guard.py", 10, {"ask": "deny"})
    assert found.hooks[1].timeout == 60
    assert found.hook("gone") is None


def test_a_manifest_of_three_lines_is_enough(manifest_text: str) -> None:
    text = '[pack]\nname = "a"\nversion = "1"\ndescription = "b"\n'
    assert manifest.parse(text, "hookpack.toml").hooks == ()


# old text, new text, a part of message + hint, a text on the line that is named
WRONG = [
    ('name = "guard"', 'name = "Guard_It"', "did you mean guard-it", "Guard_It"),
    ('name = "guard"', 'name = "g--x"', "single hyphens", "g--x"),
    ('name = "guard"', f'name = "{"g" * 65}"', "at most 64", "ggg"),
    ('name = "guard"', "name = 3", "`pack.name` must be text, not a whole number", "name = 3"),
    ('version = "1.0.0"', 'version = "one"', "PEP 440", "one"),
    ('version = "1.0.0"', 'version = "1.0.0-rc.1"', "write 1.0.0rc1", "rc.1"),
    ('version = "1.0.0"\n', "", "`version` is missing in pack", "[pack]"),
    ('license = "MIT"', 'licence = "MIT"', "did you mean `license`", "licence"),
    ('license = "MIT"', 'zzz = "MIT"', "known keys: name, version", "zzz"),
    ('">=0.1"', '"0.1"', "PEP 440 specifier", "requires-hookpm"),
    ('description = "Keeps agents out"', 'description = " "', "one line", "description"),
    ('["git"]', '["git status"]', "names without folders", "programs"),
    ('">=1,<2"', '"^1"', "PEP 440 specifier", "patterns"),
    ("patterns =", "guard =", "depends on itself", "guard ="),
    ("patterns =", "Patterns =", "cannot be a pack's name", "Patterns"),
    ("default = []", 'default = "x"', "must be a list of texts", "default"),
    ("default = []\n", "", "`default` is missing in options.extra", "[options.extra]"),
    ("default = []", "defualt = []", "did you mean `default`", "defualt"),
    ('default = "high"', 'default = "mid"', "must be low or high, not mid", "mid"),
    ('["low", "high"]', '["low", 3]', "in choices must be text", "choices"),
    ('"list[str]"', '"list"', "did you mean list[str]", '"list"'),
    ('id = "guard-files"', 'id = "tell"', "two hooks have the id tell", 'id = "tell"'),
    ('id = "guard-files"', 'id = "a b"', "cannot be a hook's id", "a b"),
    ('"PreToolUse"', '"preToolUse"', "did you mean PreToolUse", "preToolUse"),
    ('"PreToolUse"', '"PostToolBatch"', "Claude Code's only", "PostToolBatch"),
    ('"PreToolUse"', '"whatever"', "events: SessionStart", "whatever"),
    ('["deny"]', '["block"]', "did you mean deny", "needs"),
    ('["deny"]', '["Deny"]', "did you mean deny", "needs"),
    ('["ask"]', '["rewrite"]', "did you mean updatedInput", "uses"),
    ('["ask"]', '["deny"]', "twice", "uses"),
    ('["additionalContext"]', '["deny"]', "no answer at SessionStart", "uses"),
    ('{ ask = "deny" }', '{ deny = "deny" }', "no fallback for `deny`", "fallback"),
    ('{ ask = "deny" }', '{ defer = "deny" }', "neither needs nor uses", "fallback"),
    ('{ ask = "deny" }', '{ ask = "allow" }', "must be deny or drop", "fallback"),
    ('"block"', '"deny"', "must be allow or block", "on_failure"),
    ('run = "guard.py"\n', "", "neither run nor command", "[[hooks]]"),
    ('run = "guard.py"', 'run = "guard.py"\ncommand = "x"', "both run and command", "command"),
    ('run = "guard.py"', 'url = "ftp://example.com"', "url: expected http", "url"),
    ('run = "guard.py"', 'run = "guard.py"\nheaders = { A = "b" }', "belongs to a url", "headers"),
    ('run = "guard.py"', 'run = "../guard.py"', "'..'", "run"),
    ('run = "guard.py"', 'run = "/guard.py"', "absolute", "run"),
    ('run = "guard.py"', "run = 'a\\b.py'", "backslash", "run"),
    ('run = "guard.py"', 'run = "gone.py"', "which is not in the pack", "run"),
    ('"echo hello"', '" "', "the command is empty", "command"),
    ("Read|Edit", "Read(", "not a valid regular expression", "matcher"),
    ("timeout = 10", "timeout = 0", "above 0, up to 3600", "timeout"),
    ("timeout = 10", "timeout = 3601", "above 0, up to 3600", "timeout"),
    ("timeout = 10", "timeout = nan", "above 0, up to 3600", "timeout"),
    ("timeout = 10", 'timeout = "10"', "must be a number, not text", "timeout"),
    ("timeout = 10", "os = ['mac']", "did you mean macos", "os"),
    ("timeout = 10", "agents = ['Claude Code']", "names no agent", "agents"),
]


@pytest.mark.parametrize(("old", "new", "said", "line"), WRONG)
def test_a_wrong_manifest_is_refused_with_line_key_and_way_out(
    pack: Path, manifest_text: str, old: str, new: str, said: str, line: str
) -> None:
    text = manifest_text.replace(old, new, 1)
    (pack / "hookpack.toml").write_text(text)
    with pytest.raises(FileFormatError) as caught:
        manifest.load(pack)
    error = caught.value
    assert said in f"{error.message} {error.hint} {error.cause}"
    assert error.file == str(pack / "hookpack.toml")
    assert error.line is not None
    assert line in text.splitlines()[error.line - 1]


def test_a_syntax_error_names_line_and_column() -> None:
    with pytest.raises(FileFormatError) as caught:
        manifest.parse('[pack]\nname = "a\n', "hookpack.toml")
    assert caught.value.message == "not valid TOML: line 2, column 10"
    assert caught.value.line == 2
    with pytest.raises(FileFormatError) as caught:
        manifest.parse('[pack]\nname = "', "hookpack.toml")
    assert caught.value.line == 2


def test_a_manifest_that_is_not_utf8_is_refused_with_its_line(pack: Path) -> None:
    (pack / "hookpack.toml").write_bytes(b"[pack]\nname = '\xff'\n")
    with pytest.raises(FileFormatError, match="UTF-8") as caught:
        manifest.load(pack)
    assert caught.value.line == 2


VALUES = st.recursive(
    st.one_of(
        st.booleans(),
        st.integers(-5, 5),
        st.floats(),
        st.text(max_size=8),
        st.dates(),
        st.sampled_from(["deny", "ask", "PreToolUse", "list[str]", ">=1", "a-b", "x.py"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(min_size=1, max_size=8), inner)
    ),
    max_leaves=6,
)


def places(value: object, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [at] if at else []
    pairs: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    for key, inner in pairs:
        found += places(inner, (*at, key))
    return found


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_whatever_stands_at_a_key_is_read_or_refused_in_words(
    manifest_text: str, data: st.DataObject
) -> None:
    values = tomltext.parse(manifest_text, "x")
    place = data.draw(st.sampled_from(places(values)))
    inner: Any = values
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = data.draw(VALUES)
    text = tomlkit.dumps(values)
    try:
        found = manifest.parse(text, "hookpack.toml")
    except FileFormatError as error:
        assert error.message
        assert error.line is not None
    else:
        assert isinstance(found, manifest.Manifest)


def test_a_folder_without_a_manifest_is_no_pack(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no hookpack\.toml"):
        manifest.load(tmp_path)
    with pytest.raises(NotFoundError, match="no folder"):
        manifest.load(tmp_path / "gone")
    (tmp_path / "file").touch()
    with pytest.raises(NotFoundError, match="not a folder"):
        manifest.load(tmp_path / "file")


def test_a_manifest_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(SystemFailureError) as caught:
        tomltext.read(tmp_path)
    assert caught.value.cause


def test_the_schema_takes_what_the_parser_takes(manifest_text: str) -> None:
    schema = json.loads(msgspec.json.encode(manifest.schema()))
    jsonschema.Draft202012Validator.check_schema(schema)
    data = tomltext.parse(manifest_text, "x")
    jsonschema.validate(data, schema)
    data["hooks"][0]["event"] = "preToolUse"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, schema)


@pytest.mark.parametrize(
    "deep", ["x = " + "[" * 5000, "x = " + "[" * 150 + "]" * 150, "a" + ".a" * 150 + " = 1"]
)
def test_a_manifest_that_is_nested_too_deeply_is_refused_and_no_crash(
    tmp_path: Path, deep: str
) -> None:
    (tmp_path / "hookpack.toml").write_text(deep)
    with pytest.raises(FileFormatError, match="nested too deeply"):
        manifest.load(tmp_path)
