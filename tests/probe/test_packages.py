"""The installer, with a stand-in for npm that makes a package out of a shell script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hookpm
from hookpm.probe import agents, packages
from hookpm.probe.packages import AgentInstallError

CLAUDE = agents.load("claude")

# Takes `install FLAGS --prefix FOLDER NAME@VERSION`. Variables make it slow, fail, or lie.
NPM = """\
#!/bin/sh
while [ "$1" != --prefix ]; do shift; done
folder=$2 spec=$3
echo "$spec" >> "$NPM_LOG"
if [ -n "$NPM_FAILS" ]; then echo "npm error 404 $spec" >&2; exit 1; fi
sleep "${NPM_TAKES:-0}"
package="$folder/node_modules/${spec%@*}"
mkdir -p "$package" "$folder/node_modules/.bin"
echo "{\\"version\\": \\"${NPM_GIVES:-${spec##*@}}\\"}" > "$package/package.json"
for name in claude kimi node; do
  binary="$folder/node_modules/.bin/$name"
  printf '#!/bin/sh\\necho "%s (Claude Code)"\\n' "${NPM_SAYS:-${spec##*@}}" > "$binary"
  chmod +x "$binary"
done
"""


@pytest.fixture(autouse=True)
def npm_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes the stand-in the only npm, and an empty folder the agents' home."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "npm").write_text(NPM)
    (programs / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("NPM_LOG", str(tmp_path / "npm.log"))
    monkeypatch.setenv(packages.HOME_VARIABLE, str(tmp_path / "agents"))
    return tmp_path / "npm.log"


def installs(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def test_the_agents_home_is_named_by_a_variable_or_lies_in_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert packages.agents_home() == tmp_path / "agents"
    monkeypatch.delenv(packages.HOME_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if sys.platform == "linux":
        assert packages.agents_home() == tmp_path / "cache" / "hookpm" / "agents"


def test_each_version_has_a_folder_of_its_own(tmp_path: Path) -> None:
    place = tmp_path / "agents" / f"claude-{CLAUDE.version}"
    assert packages.folder(CLAUDE) == place
    assert packages.executable(CLAUDE) == place / "node_modules" / ".bin" / "claude"


def test_an_agent_is_installed_at_its_exact_version_and_only_once(npm_log: Path) -> None:
    binary = packages.ensure(CLAUDE)
    assert packages.reported_version(binary) == CLAUDE.version
    assert packages.ensure(CLAUDE) == binary
    assert installs(npm_log) == [f"@anthropic-ai/claude-code@{CLAUDE.version}"]
    assert not list(packages.agents_home().glob("*.new"))


@pytest.mark.parametrize(
    "damage", ["binary gone", "binary broken", "manifest gone", "other version"]
)
def test_a_broken_install_is_replaced(damage: str, npm_log: Path) -> None:
    binary = packages.ensure(CLAUDE)
    manifest = packages.folder(CLAUDE) / "node_modules" / CLAUDE.package / "package.json"
    if damage == "binary gone":
        binary.unlink()
    elif damage == "binary broken":
        binary.write_text("#!/bin/sh\necho Segmentation fault\nexit 139\n")
    elif damage == "manifest gone":
        manifest.unlink()
    else:
        manifest.write_text(json.dumps({"version": "2.1.197"}))

    assert packages.reported_version(packages.ensure(CLAUDE)) == CLAUDE.version
    assert len(installs(npm_log)) == 2


def test_what_an_interrupted_install_left_is_no_obstacle(npm_log: Path) -> None:
    left = packages.folder(CLAUDE).with_name(f"claude-{CLAUDE.version}.new")
    (left / "node_modules").mkdir(parents=True)
    packages.ensure(CLAUDE)
    assert not left.exists()


def test_without_npm_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AgentInstallError) as caught:
        packages.ensure(CLAUDE)
    assert "needs npm" in caught.value.message
    assert "Node.js" in str(caught.value.hint)


def test_a_failure_of_npm_is_reported_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPM_FAILS", "1")
    with pytest.raises(AgentInstallError) as caught:
        packages.ensure(CLAUDE)
    assert caught.value.cause == f"npm error 404 @anthropic-ai/claude-code@{CLAUDE.version}"
    assert not list(packages.agents_home().glob("claude*"))


@pytest.mark.parametrize("lie", ["NPM_GIVES", "NPM_SAYS"])
def test_another_version_than_the_pinned_one_is_never_taken(
    lie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(lie, "2.1.197")
    with pytest.raises(AgentInstallError) as caught:
        packages.ensure(CLAUDE)
    assert "2.1.197" in str(caught.value.cause)
    assert not packages.folder(CLAUDE).exists()


def test_a_home_that_cannot_be_written_is_an_install_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(packages.HOME_VARIABLE, str(tmp_path / "file" / "agents"))
    with pytest.raises(AgentInstallError):
        packages.ensure(CLAUDE)


def test_two_processes_at_once_install_once_and_both_succeed(
    npm_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPM_TAKES", "1")
    monkeypatch.setenv("PYTHONPATH", str(Path(hookpm.__file__).parents[1]))
    command = [sys.executable, "-m", "hookpm.probe.packages", "claude"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    lines = [process.communicate(timeout=60)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert lines == [f"claude: {packages.executable(CLAUDE)}\n"] * 2
    assert len(installs(npm_log)) == 1


def test_the_command_installs_the_others_when_one_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert packages.main(["copilto", "claude"]) == 2
    first, second = capsys.readouterr().out.splitlines()
    assert first == "copilto: error: no agent called 'copilto' can be driven; there are: copilot"
    assert second == f"claude: {packages.executable(CLAUDE)}"


def test_the_version_is_asked_for_in_a_throw_away_home(tmp_path: Path) -> None:
    nosy = tmp_path / "nosy"
    nosy.write_text('#!/bin/sh\ntouch "$HOME/seen"; echo "$HOME" > "$NPM_LOG"; echo 1.2.3\n')
    nosy.chmod(0o755)
    assert packages.reported_version(nosy) == "1.2.3"
    home = Path((tmp_path / "npm.log").read_text().strip())
    assert home != Path.home()
    assert not home.exists()


def test_the_node_that_an_agent_needs_is_installed_first_and_goes_first_on_its_path(
    npm_log: Path,
) -> None:
    kimi = agents.load("kimi")
    packages.ensure(kimi)
    packages.ensure(kimi)
    assert installs(npm_log) == [f"node@{kimi.node}", f"{kimi.package}@{kimi.version}"]
    first, _, rest = packages.search_path(kimi).partition(os.pathsep)
    assert Path(first, "node").is_file()
    assert rest == packages.search_path(CLAUDE) == os.environ["PATH"]
