"""A Claude Code plugin read as a pack: what becomes of each of its parts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm.errors import FileFormatError, HookpmError, NotFoundError, RefusedError
from hookpm.packs import archive, content
from hookpm.packs.content import Content
from hookpm.packs.plugin import Plugin
from hookpm.project import hooksjson
from tests.project import plugins
from tests.project.plugins import ROOT, handlers

SHAPES = (
    plugins.security,
    plugins.stop_loop,
    plugins.context,
    plugins.formatter,
    plugins.prompts,
)


def read(folder: Path, table: Any = None, files: Any = (), **about: Any) -> Content:
    """A plugin with these hooks in hooks/hooks.json, read."""
    made = {".claude-plugin/plugin.json": {"name": "p", "version": "1.0", **about}, **dict(files)}
    if table is not None:
        made["hooks/hooks.json"] = {"hooks": table}
    return content.read(plugins.write(folder, made))


def about(pack: Content) -> Plugin:
    assert pack.plugin is not None
    return pack.plugin


def reasons(pack: Content) -> list[str]:
    return [each.reason for each in about(pack).not_run]


SAYS = {"Stop": handlers("echo one")}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "x", f"{ROOT}/a b.sh", "*"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["hooks", "Stop", "PreToolUse", "type", "command", "matcher", "args"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(hooks=JSON, inline=JSON, name=JSON)
def test_whatever_a_plugins_json_holds_it_is_a_pack_or_a_clear_refusal(
    hooks: Any, inline: Any, name: Any
) -> None:
    about = {"name": name or "p", "version": name, "hooks": inline, "author": inline}
    values = {".claude-plugin/plugin.json": about, "hooks/hooks.json": hooks}
    files = {
        path: content.FileEntry(json.dumps(value).encode(), False) for path, value in values.items()
    }
    try:
        pack = content.from_files(files, "p")
    except HookpmError as error:
        assert error.message
    else:
        archive.build(pack)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_archive_unpacks_to_the_same_pack(tmp_path: Path, shape: Callable[..., Path]) -> None:
    pack = content.read(shape(tmp_path / "p"))
    again = archive.unpack(archive.build(pack), "p.tar.gz")
    assert (again.manifest, again.files) == (pack.manifest, pack.files)


@pytest.mark.parametrize(
    ("name", "legal"),
    [("Good_Habits", "good-habits"), ("my.plugin v2", "my-plugin-v2"), ("3d", "plugin-3d")],
)
def test_a_plugins_name_becomes_a_legal_one_and_that_is_said(
    tmp_path: Path, name: str, legal: str
) -> None:
    pack = read(tmp_path, SAYS, name=name)
    assert pack.manifest.name == legal
    assert f"the plugin calls itself {name!r}" in about(pack).notes


@pytest.mark.parametrize("name", ["", "测试", None, 5])
def test_a_name_that_says_nothing_is_refused_with_the_file(tmp_path: Path, name: Any) -> None:
    with pytest.raises(FileFormatError) as caught:
        read(tmp_path, SAYS, name=name)
    assert str(caught.value.file).endswith(".claude-plugin/plugin.json")


@pytest.mark.parametrize(
    ("given", "version"),
    [
        ("1.2.3", "1.2.3"),
        ("v1.2", "1.2"),
        ("2.0.0-beta.1", "2.0.0b1"),
        ("1.4.0-canary-x", "1.4.0"),
        ("latest", "0"),
        ("", "0"),
        (3, "0"),
    ],
)
def test_a_version_is_read_as_pep_440_reads_it_and_none_is_0(
    tmp_path: Path, given: Any, version: str
) -> None:
    assert read(tmp_path, SAYS, version=given).manifest.version == version


def test_who_made_it_is_taken_over(tmp_path: Path) -> None:
    author = {"name": "Ann", "email": "ann@example.com"}
    more = {"license": "MIT", "description": "Two\nlines", "repository": "https://example.com/r"}
    head = read(tmp_path, SAYS, author=author, **more).manifest.pack
    assert head.authors == ("Ann <ann@example.com>",)
    assert (head.license, head.description) == ("MIT", "Two lines")
    assert head.homepage == "https://example.com/r"


def test_hooks_come_from_the_file_from_named_files_and_from_plugin_json(tmp_path: Path) -> None:
    more = {"description": "d", "hooks": {"Stop": handlers("echo two")}}
    given = ["./hooks/hooks.json", "./more.json", {"Stop": handlers("echo three")}]
    pack = read(tmp_path, SAYS, {"more.json": more}, hooks=given)
    assert [h.command for h in pack.manifest.hooks] == ["echo one", "echo two", "echo three"]


@pytest.mark.parametrize("wrapped", [True, False])
def test_inline_hooks_stand_with_and_without_a_hooks_key_around_them(
    tmp_path: Path, wrapped: bool
) -> None:
    pack = read(tmp_path, hooks={"hooks": SAYS} if wrapped else SAYS)
    assert [h.command for h in pack.manifest.hooks] == ["echo one"]


def test_hooks_of_an_unknown_kind_in_plugin_json_are_named(tmp_path: Path) -> None:
    (left,) = about(read(tmp_path, SAYS, hooks=5)).not_run
    assert left.reason == "expected a path or an object of events"


def test_a_file_of_hooks_that_is_not_there_is_named(tmp_path: Path) -> None:
    pack = read(tmp_path, SAYS, hooks="./gone.json")
    assert [str(each) for each in about(pack).not_run] == [
        "hooks (./gone.json, .claude-plugin/plugin.json:4): there is no such file"
    ]


def test_json_with_a_byte_order_mark_and_windows_line_ends_reads(tmp_path: Path) -> None:
    text = '{"hooks": {"Stop": [{"hooks": [{"type": "command",\r\n "command": "echo one"}]}]}}'
    pack = read(tmp_path, files={"hooks/hooks.json": b"\xef\xbb\xbf" + text.encode()})
    assert [h.command for h in pack.manifest.hooks] == ["echo one"]


def test_json_that_does_not_read_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError) as caught:
        read(tmp_path, files={"hooks/hooks.json": '{"hooks":\n {"Stop" []}}'})
    assert (caught.value.line, str(caught.value.file)) == (2, str(tmp_path / "hooks/hooks.json"))


@pytest.mark.parametrize(
    ("event", "group", "reason"),
    [
        ("Stop", {"hooks": [{"type": "prompt", "prompt": "?"}]}, "type prompt cannot run"),
        ("Stop", {"hooks": [{"type": "agent", "prompt": "?"}]}, "type agent cannot run"),
        (
            "Stop",
            {"hooks": [{"type": "command", "command": "x", "async": True}]},
            '"async" cannot be honoured',
        ),
        (
            "PreToolUse",
            {"hooks": [{"type": "command", "command": "x", "if": "Bash(rm *)"}]},
            '"if" cannot be honoured',
        ),
        (
            "Stop",
            {"hooks": [{"type": "command", "command": "x", "shell": "powershell"}]},
            "shell: only bash",
        ),
        ("Stop", {"hooks": [{"type": "command", "command": "x", "timeout": 0}]}, "timeout:"),
        ("Stop", {"hooks": [{"type": "http", "url": "ftp://example.com"}]}, "url: expected http"),
        (
            "Stop",
            {"hooks": [{"type": "http", "url": "https://a", "headers": {"A": "${user_config.k}"}}]},
            "a setting that Claude Code asks its user for",
        ),
        ("Stop", {"hooks": [{"type": "command"}]}, "command: expected a shell line"),
        ("Stop", {"matcher": "x"}, 'expected a list "hooks"'),
        ("Stop", "x", "expected a group"),
        (
            "PreToolUse",
            {"matcher": "(", "hooks": [{"type": "command", "command": "x"}]},
            "not a valid regular expression",
        ),
        (
            "WorktreeCreate",
            {"hooks": [{"type": "command", "command": "x"}]},
            "is Claude Code's only",
        ),
        ("OnSave", {"hooks": [{"type": "command", "command": "x"}]}, "unknown event"),
        (
            "Stop",
            {"hooks": [{"type": "command", "command": "x ${user_config.url}"}]},
            "a setting that Claude Code asks its user for",
        ),
        (
            "Stop",
            {"hooks": [{"type": "command", "command": f"{ROOT}/scripts/gone.sh"}]},
            "it starts scripts/gone.sh, which the plugin does not hold",
        ),
        (
            "Stop",
            {"hooks": [{"type": "command", "command": f"bash {ROOT}/crlf.sh"}]},
            "crlf.sh has Windows line ends",
        ),
    ],
)
def test_what_cannot_run_is_kept_out_and_named_with_its_line(
    tmp_path: Path, event: str, group: Any, reason: str
) -> None:
    files = {"crlf.sh": b"#!/bin/sh\r\nexit 2\r\n"}
    pack = read(tmp_path, {"SessionEnd": handlers("echo bye"), event: [group]}, files)
    assert [h.event for h in pack.manifest.hooks] == ["SessionEnd"]
    (left,) = about(pack).not_run
    assert reason in left.reason
    assert left.file == "hooks/hooks.json"
    assert left.line is not None


def test_python_with_windows_line_ends_runs(tmp_path: Path) -> None:
    files = {"a.py": b"#!/usr/bin/env python3\r\nprint()\r\n"}
    pack = read(tmp_path, {"Stop": handlers(f"python3 {ROOT}/a.py")}, files)
    assert len(pack.manifest.hooks) == 1


def test_a_plugin_of_which_nothing_can_run_is_refused_with_the_reasons(tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as caught:
        read(tmp_path, {"Stop": [{"hooks": [{"type": "prompt", "prompt": "?"}]}]})
    assert "type prompt cannot run" in str(caught.value.cause)


def test_a_plugin_without_hooks_is_refused_with_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as caught:
        read(tmp_path, files={"commands/a.md": "a", "commands/b.md": "b"})
    assert "2 commands" in str(caught.value.cause)


def test_a_folder_with_hooks_but_no_plugin_json_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        content.read(plugins.write(tmp_path, {"hooks/hooks.json": {"hooks": SAYS}}))
    assert "no .claude-plugin/plugin.json" in caught.value.message


def test_a_hookpack_toml_beside_a_plugin_json_wins(tmp_path: Path) -> None:
    toml = '[pack]\nname = "own"\nversion = "1"\ndescription = "d"\n'
    pack = read(tmp_path, SAYS, {"hookpack.toml": toml})
    assert (pack.manifest.name, pack.plugin) == ("own", None)


# --- ids -------------------------------------------------------------------------------------


def ids(pack: Content) -> list[str]:
    return [hook.id for hook in pack.manifest.hooks]


def test_ids_come_from_the_event_and_the_script(tmp_path: Path) -> None:
    files = {"a/guard.sh": "#!/bin/sh\n", "b.js": "", "lib/check.py": ""}
    hooks = {
        "PreToolUse": handlers(
            f"{ROOT}/a/guard.sh",
            f'node "{ROOT}/b.js" --strict',
            f"cd {ROOT} && python3 -m lib.check",
            "jq -r .prompt | grep x",
            matcher="Bash",
        )
    }
    assert ids(read(tmp_path, hooks, files)) == [
        "pre-tool-use-guard",
        "pre-tool-use-b",
        "pre-tool-use-check",
        "pre-tool-use-jq",
    ]


def test_the_same_script_twice_at_an_event_has_two_ids(tmp_path: Path) -> None:
    files = {"g.sh": "#!/bin/sh\n"}
    one = f"{ROOT}/g.sh"
    groups = [*handlers(one, one, matcher="Bash"), *handlers(one, f"{one} x", matcher="Edit|Write")]
    assert ids(read(tmp_path, {"PreToolUse": groups}, files)) == [
        "pre-tool-use-g",
        "pre-tool-use-g-edit-write",
        "pre-tool-use-g-2",
    ]


def test_ids_stay_when_other_hooks_come_and_lines_change(tmp_path: Path) -> None:
    files = {"g.sh": "#!/bin/sh\n", "h.sh": "#!/bin/sh\n"}
    old = read(tmp_path / "1", {"Stop": handlers(f"{ROOT}/g.sh")}, files)
    hooks = {"Stop": handlers(f"{ROOT}/h.sh", f'bash "{ROOT}/g.sh" --quiet', timeout=5)}
    new = read(tmp_path / "2", hooks, files)
    assert set(ids(old)) < set(ids(new))


# --- what answers are estimated --------------------------------------------------------------


def test_a_script_that_only_denies_before_a_tool_needs_that(tmp_path: Path) -> None:
    files = {"g.sh": "#!/bin/sh\necho no >&2\nexit 2\n"}
    hooks = {"PreToolUse": handlers(f"{ROOT}/g.sh"), "Stop": handlers(f"{ROOT}/g.sh x")}
    before, stop = read(tmp_path, hooks, files).manifest.hooks
    assert (before.needs, before.uses) == (("deny",), ())
    assert (stop.needs, stop.uses) == ((), ("block",))


def test_what_a_library_says_counts_for_the_script_that_loads_it(tmp_path: Path) -> None:
    pack = content.read(plugins.prompts(tmp_path))
    assert all("block" in hook.uses for hook in pack.manifest.hooks)


def test_what_a_foreign_program_answers_is_said_to_be_unknown(tmp_path: Path) -> None:
    pack = read(tmp_path, {"Stop": handlers("npx -y guard", "echo done")})
    (note,) = about(pack).notes
    assert note == "what stop-npx answers cannot be estimated: it is up to npx"
    assert "stop-echo nothing seen" in about(pack).lines("p")[0]


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_is_unknown_of_a_plugin_that_holds_its_scripts(
    tmp_path: Path, shape: Callable[..., Path]
) -> None:
    assert "cannot be estimated" not in " ".join(about(content.read(shape(tmp_path))).notes)


def test_programs_that_scripts_call_are_asked_for(tmp_path: Path) -> None:
    files = {"g.sh": "#!/bin/bash\nx=$(jq -r .a)\nif git status; then exit 0; fi\n"}
    pack = read(tmp_path, {"Stop": handlers(f"{ROOT}/g.sh", f"node {ROOT}/g.js")}, files)
    assert pack.manifest.requires.programs == ("bash", "git", "jq")


# --- files -----------------------------------------------------------------------------------


def test_folders_for_the_model_and_for_authors_go_in_only_if_a_hook_names_them(
    tmp_path: Path,
) -> None:
    files = {
        "skills/a/SKILL.md": "a",
        "skills/a/run.sh": "cat ../../docs/rules.md\n",
        "docs/rules.md": "rules",
        "agents/r.md": "r",
        "tests/t.py": "",
        "g.sh": '#!/bin/sh\ncat "$CLAUDE_PLUGIN_ROOT/skills/a/SKILL.md"\n',
        "README.md": "see agents/ and tests/",
    }
    pack = read(tmp_path, {"SessionStart": handlers(f"{ROOT}/g.sh")}, files)
    assert {"skills/a/SKILL.md", "skills/a/run.sh", "docs/rules.md"} <= set(pack.files)
    assert not {"agents/r.md", "tests/t.py"} & set(pack.files)
    assert "left out, since no hook names them: 2 files" in about(pack).notes
    assert dict(about(pack).beside) == {"agents": ["r"], "skills": ["a"]}


def test_pictures_settings_of_git_and_secrets_stay_out_and_do_not_count(tmp_path: Path) -> None:
    files = {
        "demo.gif": b"x" * (content.MAX_BYTES + 1),
        ".gitignore": "dist\n",
        "x/.gitattributes": "* text\n",
        ".github/workflows/a.yml": "",
        "x/.env": "A=1",
        "x/a.sh": "",
    }
    pack = read(tmp_path, SAYS, files)
    assert set(pack.files) == {".claude-plugin/plugin.json", "hooks/hooks.json", "x/a.sh"}


def test_scripts_that_a_hook_starts_by_themselves_are_executable(tmp_path: Path) -> None:
    files = {"a": "echo\n", "b.py": "#!/usr/bin/env python3\n", "c.txt": "c"}
    pack = read(tmp_path, {"Stop": handlers(f"{ROOT}/a && cat {ROOT}/c.txt")}, files)
    assert [path for path, entry in pack.files.items() if entry.executable] == ["a", "b.py"]


def test_packages_of_node_that_nobody_installs_are_said(tmp_path: Path) -> None:
    files = {"g.js": "", "package.json": {"dependencies": {"chalk": "5"}}}
    pack = read(tmp_path, {"Stop": handlers(f"node {ROOT}/g.js")}, files)
    assert any("package.json" in note for note in about(pack).notes)


# --- fields of handlers ----------------------------------------------------------------------


def test_timeouts_matchers_and_onfailure_are_kept(tmp_path: Path) -> None:
    hooks = {
        "PreToolUse": handlers("x", matcher="mcp__.*|Edit", timeout=7.5, onFailure="block"),
        "Stop": handlers("y", matcher="ignored", timeout=99999),
    }
    first, second = read(tmp_path, hooks).manifest.hooks
    assert (first.matcher, first.timeout, first.on_failure) == ("mcp__.*|Edit", 7.5, "block")
    assert (second.matcher, second.timeout, second.on_failure) == ("", 3600, "allow")


def test_exec_form_and_bash_become_one_shell_line(tmp_path: Path) -> None:
    words = {"type": "command", "command": "node", "args": [f"{ROOT}/it's.js", "a b", "$X"]}
    bash = {"type": "command", "command": f"[[ -f {ROOT}/a.js && a == 'a' ]]", "shell": "bash"}
    pack = read(tmp_path, {"Stop": [{"hooks": [words, bash]}]}, {"it's.js": "", "a.js": ""})
    assert [hook.command for hook in pack.manifest.hooks] == [
        "node \"${CLAUDE_PLUGIN_ROOT}/it's.js\" 'a b' '$X'",
        "exec bash -c '[[ -f \"${CLAUDE_PLUGIN_ROOT}\"/a.js && a == '\"'\"'a'\"'\"' ]]'",
    ]


def test_requests_are_kept_with_their_headers(tmp_path: Path) -> None:
    request = {
        "type": "http",
        "url": "https://hooks.example.com/check",
        "headers": {"Authorization": "Bearer $TOKEN"},
        "allowedEnvVars": ["TOKEN"],
        "timeout": 5,
    }
    pack = read(tmp_path, {"Stop": [{"hooks": [request]}]})
    (hook,) = pack.manifest.hooks
    assert (hook.id, hook.url, hook.command) == ("stop-hooks-example-com", request["url"], None)
    (group,) = hooksjson.groups(pack.manifest)
    assert group.value["hooks"] == [request]
    assert "cannot be estimated" in about(pack).notes[-1]


def test_a_plugin_that_keeps_data_gets_a_folder_outside_the_repo(tmp_path: Path) -> None:
    pack = read(tmp_path, {"Stop": handlers('date >> "${CLAUDE_PLUGIN_DATA}/log"')})
    line = pack.manifest.hooks[0].command or ""
    assert line.startswith('CLAUDE_PLUGIN_DATA="${XDG_DATA_HOME:-$HOME/.local/share}/hookpm/')
    assert line.endswith('; date >> "${CLAUDE_PLUGIN_DATA}/log"')
