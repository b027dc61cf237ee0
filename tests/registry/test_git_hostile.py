"""Repositories, configurations and surroundings that would run code or lead elsewhere."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookpm.errors import (
    FileFormatError,
    HookpmError,
    NotFoundError,
    RefusedError,
    SystemFailureError,
)
from hookpm.packs import content, names
from hookpm.registry import git, gitcache, gitrun
from tests.registry.gitrepo import MANIFEST, Repo, make, own_home, wait_for


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return own_home(tmp_path, monkeypatch)


@pytest.fixture
def repo(tmp_path: Path, home: Path) -> Repo:
    return make(tmp_path / "guard")


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a mark where it ran."""
    program = tmp_path / "trap"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\nexit 1\n")
    program.chmod(0o755)
    return program


def sprung(trap: Path) -> bool:
    return (trap.parent / "sprung").exists()


# --- what a repository holds -----------------------------------------------------------------


def refused(repo: Repo, member: str) -> str:
    """The message of the refusal, which names the member."""
    with pytest.raises(FileFormatError) as caught:
        content.from_files(git.fetch(repo.url, "head").files, "where")
    assert caught.value.message.startswith(member)
    return caught.value.message


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("../outside", "leads out of the pack"),
        ("/etc/passwd", "leads out of the pack"),
        ("a/../../outside", "leads out of the pack"),
        ("nothing", "a link to nothing"),
        ("link", "a link to nothing"),
        (".git/config", "a link to nothing"),
        ("node_modules/x.js", "a link to nothing"),
        ("folder", "a link to something that is not a file"),
        (".", "a link to something that is not a file"),
        ("x" * 5000, "a link to nothing"),
    ],
)
def test_a_link_that_is_no_file_of_the_pack_is_refused(repo: Repo, target: str, words: str) -> None:
    link = repo.blob(target)
    guard, folder = repo.blob(MANIFEST), repo.tree(("100644", repo.blob("x"), "x.js"))
    top = [
        ("40000", folder, "folder"),
        ("100644", guard, "hookpack.toml"),
        ("120000", link, "link"),
        ("40000", folder, "node_modules"),
    ]
    repo.at(repo.tree(*top))
    assert words in refused(repo, "link")


def test_a_subfolder_behind_a_link_is_not_followed(repo: Repo) -> None:
    (repo.folder / "packs").symlink_to("/etc")
    repo.commit()
    with pytest.raises(NotFoundError, match="no folder packs/ssh"):
        git.fetch(repo.url, "head", "packs/ssh")


@pytest.mark.parametrize(
    "name", ["..", ".", "a\\b", "a:b", "con", "x ", "x.", "a\nb", "a\u202eb", "\udcff", "a\tb"]
)
def test_a_name_that_cannot_exist_everywhere_is_refused(repo: Repo, name: str) -> None:
    shown = name.encode("utf-8", "backslashreplace").decode()
    repo.at(repo.tree(("100644", repo.blob("x"), name)))
    message = refused(repo, "" if not shown.isprintable() else shown)
    assert message.isprintable()
    assert "cannot be in a pack" in message


def test_a_folder_that_leads_upward_is_refused(repo: Repo) -> None:
    inner = repo.tree(("100644", repo.blob("x"), "evil"))
    repo.at(repo.tree(("40000", inner, "..")))
    assert refused(repo, "../evil")


def test_files_of_git_itself_are_left_out(repo: Repo) -> None:
    inner = repo.tree(("100755", repo.blob("x"), "post-checkout"))
    hooks = repo.tree(("40000", inner, "hooks"))
    top = [("40000", hooks, ".git"), ("100644", repo.blob(MANIFEST), "hookpack.toml")]
    repo.at(repo.tree(*top))
    assert list(git.fetch(repo.url, "head").files) == ["hookpack.toml"]


def test_names_that_differ_by_case_are_refused(repo: Repo) -> None:
    one, two = repo.blob("1"), repo.blob("2")
    repo.at(repo.tree(("100644", one, "README"), ("100644", two, "readme")))
    assert "blind to case" in refused(repo, "readme")


def test_a_name_that_is_there_twice_is_refused(repo: Repo) -> None:
    one, two = repo.blob("1"), repo.blob("2")
    repo.at(repo.tree(("100644", one, "a"), ("100644", two, "a")))
    assert "twice" in refused(repo, "a")


def test_a_file_that_is_a_folder_too_is_refused(repo: Repo) -> None:
    one = repo.blob("1")
    repo.at(repo.tree(("100644", one, "a"), ("40000", repo.tree(("100644", one, "b")), "a")))
    assert "a file and a folder" in refused(repo, "a")


def test_a_huge_file_is_refused_before_it_is_read(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"huge.bin": b"\0" * (content.MAX_BYTES + 1)})
    asked: list[str] = []
    real = gitrun.local

    def watched(kept: Path | None, *arguments: str, **more: Any) -> gitrun.Ran:
        asked.extend(arguments)
        return real(kept, *arguments, **more)

    monkeypatch.setattr(gitrun, "local", watched)
    refused(repo, "huge.bin")
    assert "ls-tree" in asked
    assert "--batch" not in asked


def test_many_links_to_one_large_file_are_counted_as_files(repo: Repo) -> None:
    repo.write({"large": b"x" * (content.MAX_BYTES // 2)})
    for n in range(3):
        (repo.folder / f"link{n}").symlink_to("large")
    repo.commit()
    assert "10 MB" in refused(repo, "l")


def test_a_tree_of_trees_without_end_is_cut_off(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = repo.tree(*[("100644", repo.blob("x"), f"{n}") for n in range(10)])
    for _ in range(9):
        tree = repo.tree(*[("40000", tree, f"{n}") for n in range(10)])
    repo.at(tree)
    assert "2000 files" in refused(repo, "")


def test_a_submodule_is_left_out_and_never_asked_for(repo: Repo, trap: Path) -> None:
    repo.write({".gitmodules": f'[submodule "s"]\n\tpath = s\n\turl = ext::{trap}\n'})
    repo.git("add", "--all")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'a' * 40},s")
    repo.git("commit", "-qm", "x")
    repo.git("config", "submodule.s.url", f"ext::{trap}")
    assert "s" not in git.fetch(repo.url, "head").files
    assert not sprung(trap)


def test_what_lies_in_lfs_is_refused_by_name(repo: Repo) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
    repo.commit({"guard.py": pointer})
    assert "Git LFS" in refused(repo, "guard.py")


def test_more_than_may_be_brought_is_refused(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"noise": os.urandom(200_000)})
    monkeypatch.setattr(gitrun, "TRANSFER_LIMIT", 100_000)
    with pytest.raises(SystemFailureError, match="brings more than"):
        git.fetch(repo.url, "head")


# --- refs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["--upload-pack=touch", "-x"])
def test_a_ref_that_could_be_an_option_is_refused(repo: Repo, name: str) -> None:
    repo.git("update-ref", f"refs/heads/{name}", "HEAD")
    with pytest.raises(HookpmError, match="begins with -"):
        git.find_ref(repo.url, name)
    assert git.find_ref(repo.url, "main") == "branch:main", "it is no trouble for others"
    with pytest.raises(HookpmError, match="begins with -"):
        git.fetch(repo.url, f"branch:{name}")


# --- what the user, or an outer git, has configured ------------------------------------------


@pytest.mark.parametrize(
    "config",
    [
        "[core]\n\thooksPath = {hooks}\n",
        "[init]\n\ttemplateDir = {template}\n",
        "[core]\n\tfsmonitor = {trap}\n",
        '[filter "x"]\n\tsmudge = {trap}\n\tprocess = {trap}\n\trequired = true\n',
        "[core]\n\talternateRefsCommand = {trap}\n",
        "[uploadpack]\n\tpackObjectsHook = {trap}\n",
        "[gpg]\n\tprogram = {trap}\n[core]\n\tpager = {trap}\n\teditor = {trap}\n",
        "[diff]\n\texternal = {trap}\n[alias]\n\tfetch = !{trap}\n\tls-tree = !{trap}\n",
        '[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n',
    ],
)
def test_configuration_that_runs_programs_has_no_say(
    repo: Repo, home: Path, trap: Path, config: str
) -> None:
    template = home / "template"
    hooks = template / "hooks"
    hooks.mkdir(parents=True)
    for name in ("reference-transaction", "post-checkout", "post-index-change", "pre-auto-gc"):
        (hooks / name).symlink_to(trap)
    text = config.format(trap=trap, hooks=hooks, template=template)
    (home / ".gitconfig").write_text(text)
    repo.commit({".gitattributes": "* filter=x\n"}, tag="v1")
    assert git.fetch(repo.url, "tag:v1").files
    assert git.find_ref(repo.url, "v1") == "tag:v1"
    assert not sprung(trap)


def test_an_address_that_insteadof_turns_into_a_program_is_refused(
    repo: Repo, home: Path, trap: Path
) -> None:
    (home / ".gitconfig").write_text(
        f'[url "ext::{trap} "]\n\tinsteadOf = https://git.example.com/\n'
        '[protocol "ext"]\n\tallow = always\n'
    )
    with pytest.raises(RefusedError, match="led elsewhere") as caught:
        git.fetch("https://git.example.com/guard", "head")
    assert "insteadOf" in (caught.value.hint or "")
    assert not sprung(trap)


def test_an_address_that_insteadof_leads_to_a_mirror_is_followed(repo: Repo, home: Path) -> None:
    (home / ".gitconfig").write_text(
        f'[url "file://{repo.folder.parent}/"]\n\tinsteadOf = https://git.example.com/\n'
    )
    assert git.fetch("https://git.example.com/guard", "head").files


def test_a_token_of_insteadof_is_not_shown(home: Path) -> None:
    (home / ".gitconfig").write_text(
        '[url "https://user:s3cret@127.0.0.1:9/"]\n\tinsteadOf = https://git.example.com/\n'
    )
    with pytest.raises(SystemFailureError) as caught:
        git.fetch("https://git.example.com/guard", "head")
    assert "s3cret" not in f"{caught.value.message} {caught.value.cause} {caught.value.hint}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_users_is_read_only_where_the_user_trusts_it(
    repo: Repo, home: Path
) -> None:
    for path in [repo.folder, *repo.folder.rglob("*")]:
        os.chown(path, 12345, 12345, follow_symlinks=False)
    with pytest.raises(RefusedError, match="belongs to another user"):
        git.fetch(repo.url, "head")
    (home / ".gitconfig").write_text(
        f'[safe]\n\tdirectory = {repo.folder}\n\tdirectory = "{repo.folder}/.git"\n'
    )
    assert git.fetch(repo.url, "head").files


def test_what_an_outer_git_has_set_has_no_say(
    repo: Repo, tmp_path: Path, trap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make(tmp_path / "other", {"x": "x"})
    before = other.git("for-each-ref")
    for name, value in {
        "GIT_DIR": f"{other.folder}/.git",
        "GIT_WORK_TREE": str(other.folder),
        "GIT_INDEX_FILE": "index",
        "GIT_OBJECT_DIRECTORY": f"{other.folder}/.git/objects",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": f"{other.folder}/.git/objects",
        "GIT_NAMESPACE": "x",
        "GIT_QUARANTINE_PATH": "/nowhere",
        "GIT_EXEC_PATH": str(tmp_path),
        "GIT_TEMPLATE_DIR": str(tmp_path),
        "GIT_PROXY_COMMAND": str(trap),
        "GIT_CONFIG_PARAMETERS": f"'core.hookspath'='{trap}' 'core.fsmonitor'='{trap}'",
        "GIT_ALLOW_PROTOCOL": "ext:file",
        "GIT_PROTOCOL_FROM_USER": "1",
        "GIT_TRACE": str(tmp_path / "trace"),
        "GIT_SHALLOW_FILE": "/nowhere",
        "GIT_REPLACE_REF_BASE": "refs/heads",
    }.items():
        monkeypatch.setenv(name, value)
    found = git.fetch(repo.url, "head")
    assert sorted(found.files) == ["guard.py", "hookpack.toml"]
    for name in list(os.environ):
        if name.startswith("GIT_") and "CONFIG_GLOBAL" not in name:
            monkeypatch.delenv(name)
    assert other.git("for-each-ref") == before
    assert not sprung(trap)
    assert not (tmp_path / "trace").exists()


def test_the_configuration_of_the_repo_one_stands_in_has_no_say(
    repo: Repo, tmp_path: Path, trap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = make(tmp_path / "here", {"x": "x"})
    here.git("config", f"url.ext::{trap} .insteadOf", "file://")
    here.git("config", "core.sshCommand", str(trap))
    here.git("config", "credential.helper", str(trap))
    monkeypatch.chdir(here.folder)
    assert git.fetch(repo.url, "head").files
    assert not sprung(trap)


def test_a_hook_of_git_may_run_hookpm(repo: Repo, tmp_path: Path) -> None:
    """A git hook has GIT_DIR and GIT_INDEX_FILE set; the outer commit must not be touched."""
    outer = make(tmp_path / "outer", {"x": "x"})
    hook = outer.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    code = f"from hookpm.registry import git; print(sorted(git.fetch({repo.url!r}, 'head').files))"
    hook.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" > {tmp_path}/said\n')
    hook.chmod(0o755)
    outer.commit({"y": "y"})
    assert "guard.py" in (tmp_path / "said").read_text()
    assert outer.git("show", "--stat", "--format=").startswith("y |")


# --- ssh, by a stand-in for it ---------------------------------------------------------------


def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> Path:
    """A program named ssh, first on PATH; the file into which it writes its arguments."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "ssh"
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n{text}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return tmp_path / "asked"


def test_ssh_fetches_and_never_asks(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ssh(tmp_path, monkeypatch, 'for last; do :; done; eval "$last"')
    found = git.fetch(f"git@git.example.com:{repo.folder}", "head")
    assert found.files
    line = asked.read_text()
    assert "BatchMode=yes" in line
    assert f"git@git.example.com git-upload-pack '{repo.folder}'" in line


@pytest.mark.parametrize("where", ["variable", "config"])
def test_the_users_own_ssh_command_is_kept(
    repo: Repo, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    asked = ssh(tmp_path, monkeypatch, 'for last; do :; done; eval "$last"')
    if where == "variable":
        monkeypatch.setenv("GIT_SSH_COMMAND", "ssh -i mine")
    else:
        (home / ".gitconfig").write_text('[core]\n\tsshCommand = "ssh -i mine"\n')
    assert git.fetch(f"ssh://git@git.example.com{repo.folder}", "head").files
    assert asked.read_text().startswith("-i mine")


@pytest.mark.parametrize(
    ("said", "kind", "words", "hint"),
    [
        ("Host key verification failed.", SystemFailureError, "does not know the host", "by hand"),
        ("git@h: Permission denied (publickey).", SystemFailureError, "is private", "ls-remote"),
        ("ssh: Could not resolve hostname h", SystemFailureError, "is not known", "the address"),
        ("ERROR: Repository not found.", NotFoundError, "no git repository", "the address"),
        (
            "ssh: connect to h: Connection refused",
            SystemFailureError,
            "answer",
            "again",
        ),
        ("something new", SystemFailureError, "could not read", ""),
    ],
)
def test_what_ssh_says_is_put_in_words(
    tmp_path: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    kind: type[HookpmError],
    words: str,
    hint: str,
) -> None:
    ssh(tmp_path, monkeypatch, f'echo "{said}" >&2; exit 255')
    with pytest.raises(kind, match=words) as caught:
        git.fetch("ssh://git@git.example.com/guard", "head")
    assert hint in (caught.value.hint or "")
    assert said in (caught.value.cause or "")


def test_a_remote_that_never_answers_is_given_up_and_ended(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh(tmp_path, monkeypatch, f"echo $$ > {tmp_path}/pid; exec sleep 600")
    monkeypatch.setattr(gitrun, "TIME_LIMIT", 1.0)
    with pytest.raises(SystemFailureError, match="took longer"):
        git.fetch("ssh://git@git.example.com/guard", "head")
    pid = int((tmp_path / "pid").read_text())
    wait_for(lambda: not Path(f"/proc/{pid}/exe").exists())


def test_what_a_thread_waits_for_ends_with_the_process(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh(tmp_path, monkeypatch, f"echo $$ > {tmp_path}/pid; exec sleep 600")
    code = (
        "import threading, time, pathlib\nfrom hookpm.registry import git\n"
        "url = 'ssh://git@git.example.com/guard'\n"
        "threading.Thread(target=git.fetch, args=(url, 'head'), daemon=True).start()\n"
        f"while not pathlib.Path('{tmp_path}/pid').exists(): time.sleep(0.02)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    pid = int((tmp_path / "pid").read_text())
    wait_for(lambda: not Path(f"/proc/{pid}/exe").exists())


def test_nothing_is_asked_on_a_terminal(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git and ssh ask on /dev/tty, which only a process of the terminal's session can open."""
    ssh(tmp_path, monkeypatch, f"(: </dev/tty) 2>/dev/null && touch {tmp_path}/terminal; exit 255")
    with pytest.raises(SystemFailureError):
        git.fetch("ssh://git@git.example.com/guard", "head")
    assert not (tmp_path / "terminal").exists()


# --- two at once, and one that is killed -----------------------------------------------------


def _fetch(url: str) -> list[str]:
    return sorted(git.fetch(url, "head").files)


def test_many_processes_fetch_one_repository_at_once(repo: Repo) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        found = pool.map(_fetch, [repo.url] * 8)
    assert found == [["guard.py", "hookpack.toml"]] * 8


def test_a_killed_fetch_leaves_a_cache_that_works(
    repo: Repo, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"noise": os.urandom(3_000_000)})
    (tmp_path / "half.py").write_text(
        "import os, time\nleft = 500_000\nwhile left > 0:\n"
        "    data = os.read(0, 4096)\n    os.write(1, data)\n    left -= len(data)\n"
        "time.sleep(600)\n"
    )
    half = f'eval "$last" | {sys.executable} {tmp_path}/half.py'
    ssh(
        tmp_path,
        monkeypatch,
        f'for last; do :; done; if [ -e {tmp_path}/go ]; then eval "$last"; else {half}; fi',
    )
    url = f"ssh://git@git.example.com{repo.folder}"
    code = f"from hookpm.registry import git; git.fetch({url!r}, 'head')"
    child = subprocess.Popen([sys.executable, "-c", code])
    kept = home / "cache/hookpm/git"
    try:
        wait_for(lambda: any(f.stat().st_size for f in kept.glob("*.git/objects/pack/tmp_*")))
        started = git_of(child.pid)
    finally:
        child.kill()
        child.wait()
    os.killpg(started, signal.SIGKILL)  # it has a session of its own, as after a loss of power
    (tmp_path / "go").touch()
    assert "noise" in git.fetch(url, "head").files
    assert not list(kept.glob("*.git/objects/pack/tmp_*"))


def git_of(parent: int) -> int:
    """The process that another has started."""
    return int(Path(f"/proc/{parent}/task/{parent}/children").read_text().split()[0])


def test_a_run_waits_for_another_and_says_so_if_it_takes_too_long(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gitcache, "WAIT", 0.1)
    with gitcache.opened(repo.url), pytest.raises(SystemFailureError, match="another hookpm"):
        git.fetch(repo.url, "head")


_NAMES = st.binary(min_size=1, max_size=6).filter(lambda name: not set(name) & {0, 0x2F})
_PLAIN = st.sampled_from(["a", "A", "b", "..", ".git", "a.", "con", "hookpack.toml", "e\u0301"])
_MODES = st.sampled_from(["100644", "100755", "100664", "120000", "160000", "40000"])


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(
        st.tuples(_MODES, _PLAIN | _NAMES.map(lambda n: n.decode("utf-8", "surrogateescape"))),
        max_size=5,
    ),
    st.binary(max_size=40),
)
def test_any_tree_is_read_or_refused_by_name(
    repo: Repo, entries: list[tuple[str, str]], data: bytes
) -> None:
    """Whatever is taken can lie in a folder on every system; nothing else happens."""
    blob, folder = repo.blob(data), repo.tree(("100644", repo.blob(data), "inner"))
    known = {"40000": folder, "160000": "a" * 40}
    repo.at(repo.tree(*[(mode, known.get(mode, blob), name) for mode, name in entries]))
    try:
        files = content.checked(git.fetch(repo.url, "head").files, "where")
    except FileFormatError as error:
        assert error.message.isprintable()
        return
    for path in files:
        assert names.path_problem(path) is None
        assert not any(map(content.is_leftover, path.split("/")))
        assert not any(other.startswith(f"{path}/") for other in files)
