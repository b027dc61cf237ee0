"""Packs and profiles from git repositories: a tag, branch, commit or the default branch.

A ref is written "tag:NAME", "branch:NAME", "rev:COMMIT" or "head". Fetched is the one commit, into
a cache; a commit that is in the cache needs no network. How git is run: gitrun; what is refused of
an address: gitaddress.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hookpm.edit import tomltext
from hookpm.errors import NotFoundError, RefusedError, UsageError
from hookpm.packs import names
from hookpm.registry import gitaddress, gitcache, gitfaults, gitrun, gittree
from hookpm.registry.gitaddress import full_ref, ref_words
from hookpm.registry.gitfaults import DamagedError, UnexplainedError

if TYPE_CHECKING:
    from pathlib import Path

    from hookpm.packs.content import FileEntry
    from hookpm.registry.gitrun import Watch

T = TypeVar("T")

_KINDS = ("tag", "branch")
FILE_LIMIT = 1024 * 1024  # bytes of a single file, such as a profile


class Checkout(NamedTuple):
    """What was fetched: the commit, and the files below the subfolder by path."""

    commit: str
    files: Mapping[str, FileEntry]


class _Asked(NamedTuple):
    """What `fetch` and `read_file` were asked for."""

    address: str
    ref: str
    commit: str | None
    offline: bool
    watch: Watch | None


def fetch(
    url: str,
    ref: str,
    subfolder: str = "",
    *,
    commit: str | None = None,
    offline: bool = False,
    watch: Watch | None = None,
) -> Checkout:
    """The files of a repository at a ref, below a folder of it.

    commit: the locked one, which then counts, wherever the ref is now. offline: only from the
    cache, where a tag or branch is what it was when it was last fetched. watch: is told how many
    bytes have come, and whether it has ended.

    Raises UsageError (an address that is not taken), NotFoundError (no such repository, ref,
    commit or folder), RefusedError, FileFormatError (a member that cannot be in a pack),
    SystemFailureError (network, credentials, no git, the disk; offline and not in the cache).
    """
    address = gitaddress.checked(url)
    if subfolder and (found := names.path_problem(subfolder)):
        raise UsageError(f"the folder {subfolder!r} cannot be in a repository: {found}")
    where = place(address, ref, subfolder)

    def read(repo: Path, at: str) -> Checkout:
        return Checkout(at, gittree.read(repo, at, subfolder, where))

    return _with_commit(_Asked(address, ref, commit, offline, watch), read)


def read_file(
    url: str, ref: str, path: str, *, commit: str | None = None, offline: bool = False
) -> tuple[str, bytes]:
    """The commit, and one file of it, of 1 MB at most; otherwise as `fetch`."""
    address = gitaddress.checked(url)
    where = place(address, ref, "")

    def read(repo: Path, at: str) -> tuple[str, bytes]:
        return at, gittree.read_file(repo, at, path, FILE_LIMIT, where)

    return _with_commit(_Asked(address, ref, commit, offline, None), read)


def find_ref(url: str, name: str, *, offline: bool = False) -> str:
    """Is `name` a tag, a branch or a commit? The ref, such as "tag:v1"; of "" the default branch.

    refs/tags/NAME and refs/heads/NAME say it themselves. A commit may be cut short only if a tag
    or branch is at it. Raises RefusedError where it is both tag and branch, NotFoundError with
    the name that is nearest, and as `fetch`.
    """
    address = gitaddress.checked(url)
    if not name:
        return gitaddress.HEAD
    for start, kind in (("refs/tags/", "tag:"), ("refs/heads/", "branch:")):
        if name.startswith(start):
            return kind + name.removeprefix(start)
    if gitaddress.is_commit(name):
        return f"rev:{name}"
    if problem := gitaddress.ref_problem(name):
        raise UsageError(f"{name!r} cannot name a tag or a branch: {problem}")
    refs = _kept_refs(address, name) if offline else _remote_refs(address)
    kinds = [kind for kind in _KINDS if full_ref(f"{kind}:{name}") in refs]
    if len(kinds) > 1:
        raise RefusedError(
            f"{name} is a tag and a branch of {address}",
            hint=f"say which: @refs/tags/{name} or @refs/heads/{name}",
        )
    if kinds:
        return f"{kinds[0]}:{name}"
    if re.fullmatch(r"[0-9a-f]{7,39}", name):
        return f"rev:{_whole_commit(name, refs, address)}"
    if offline:
        raise gitfaults.offline(f"tag or branch {name}", address)
    raise _no_such_ref(f"tag or branch {name}", name, refs, address)


def tip(url: str, ref: str) -> str:
    """The commit that a ref is at now, asked of the remote. Raises as `fetch` does."""
    gitaddress.check_ref(ref)
    if ref.startswith("rev:"):
        return ref.removeprefix("rev:")
    address = gitaddress.checked(url)
    refs = _remote_refs(address)
    found = refs.get(full_ref(ref))
    if found is None:
        raise _no_such_ref(ref_words(ref), ref.partition(":")[2], refs, address)
    return found


def place(address: str, ref: str, subfolder: str) -> str:
    """A place in a repository as one types it, for messages."""
    name = "" if ref == gitaddress.HEAD else "@" + ref.partition(":")[2]
    return f"git+{address}{name}" + (f"#subdirectory={subfolder}" if subfolder else "")


def _with_commit(asked: _Asked, read: Callable[[Path, str], T]) -> T:
    """What `read` makes of the repository in the cache and the commit, fetched if need be.

    What the cache cannot give although it should is fetched once more, into a new one.
    """
    gitaddress.check_ref(asked.ref)
    if asked.ref.startswith("rev:"):
        asked = asked._replace(commit=asked.commit or asked.ref.removeprefix("rev:"))
    if asked.commit is not None:
        gitaddress.check_ref(f"rev:{asked.commit}")
    gitrun.check_version()
    with gitcache.opened(asked.address) as repo:
        try:
            return read(repo, _at_hand(repo, asked) or _bring(repo, asked))
        except (DamagedError, UnexplainedError):
            if asked.offline:
                raise
        fresh = gitcache.beside(repo)
        found = read(fresh, _bring(fresh, asked))
        gitcache.swap(fresh, repo)
        return found


def _at_hand(repo: Path, asked: _Asked) -> str | None:
    """The commit, if it is in the cache and known without asking the remote.

    Raises SystemFailureError where it is not, and nobody may be asked.
    """
    at = asked.commit
    if at is None and asked.offline:
        at = gitcache.kept(repo, asked.ref)
    if at is not None and gitcache.has(repo, at):
        return at
    if asked.offline:
        raise gitfaults.offline(ref_words(f"rev:{at}" if at else asked.ref), asked.address)
    return None


def _bring(repo: Path, asked: _Asked) -> str:
    """Fetch one commit; returns its name. Raises the error for what git says."""
    if asked.commit is not None:
        return _bring_commit(repo, asked, asked.commit)
    address, ref = asked.address, asked.ref
    ran = _fetch(repo, asked, "--depth=1", f"+{full_ref(ref)}:{gitcache.kept_ref(ref)}")
    if re.search(r"couldn't find remote ref|no such remote ref", ran.err, re.IGNORECASE):
        raise _no_such_ref(ref_words(ref), ref.partition(":")[2], _remote_refs(address), address)
    if ran.code != 0:
        raise gitfaults.explained(ran.err, address, repo)
    found = gitcache.kept(repo, ref)
    if found is None:
        raise NotFoundError(f"{ref_words(ref)} of {address} is no commit")
    return found


def _bring_commit(repo: Path, asked: _Asked, commit: str) -> str:
    """Fetch a commit by its name; from servers that do not give them so, with all history."""
    ran = _fetch(repo, asked, "--depth=1", commit)
    if re.search(r"not our ref|unadvertised object|no such remote ref", ran.err):
        every = ("+refs/heads/*:refs/hookpm/all/heads/*", "+refs/tags/*:refs/hookpm/all/tags/*")
        ran = _fetch(repo, asked, "--depth=2147483647", *every)
        if ran.code == 0 and not gitcache.has(repo, commit):
            was = None if asked.ref.startswith("rev:") else f"it was {ref_words(asked.ref)}"
            raise NotFoundError(
                f"commit {commit} is not in {asked.address}",
                cause=was,
                hint="its history was rewritten, or the commit was never pushed; "
                "`hookpm update` takes what is there now",
            )
    if ran.code != 0:
        raise gitfaults.explained(ran.err, asked.address, repo)
    return commit


def _fetch(repo: Path, asked: _Asked, *depth_and_refs: str) -> gitrun.Ran:
    depth, *refs = depth_and_refs
    options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance")
    more = ("--update-shallow", "--recurse-submodules=no", depth)
    arguments = ("fetch", *options, *more, "--", asked.address, *refs)
    return gitrun.remote(repo, *arguments, http=_is_http(asked.address), watch=asked.watch)


def _is_http(address: str) -> bool:
    return address.startswith("http:")


def _remote_refs(address: str) -> dict[str, str]:
    """Every ref of the remote -> the commit that it leads to; of an annotated tag, the tag's."""
    gitrun.check_version()
    ran = gitrun.remote(None, "ls-remote", "--", address, http=_is_http(address))
    if ran.code != 0 or ran.cut:
        raise gitfaults.explained(ran.err, address, None)
    refs: dict[str, str] = {}
    for line in ran.out.decode("utf-8", "replace").splitlines():
        commit, _, name = line.partition("\t")
        refs[name.removesuffix("^{}")] = commit  # a tag's commit follows the tag itself
    return refs


def _kept_refs(address: str, name: str) -> dict[str, str]:
    """The tag and the branch of this name, as far as the cache has them."""
    gitrun.check_version()
    with gitcache.opened(address) as repo:
        found = {f"{kind}:{name}": gitcache.kept(repo, f"{kind}:{name}") for kind in _KINDS}
    return {full_ref(ref): commit for ref, commit in found.items() if commit is not None}


def _whole_commit(short: str, refs: Mapping[str, str], address: str) -> str:
    found = {commit for commit in refs.values() if commit.startswith(short)}
    if len(found) == 1:
        return found.pop()
    raise NotFoundError(
        f"no tag or branch of {address} is named {short}, or at that commit",
        hint="a server is asked for a commit by its whole name: give all 40 characters",
    )


def _no_such_ref(what: str, name: str, refs: Mapping[str, str], address: str) -> NotFoundError:
    known = [ref.split("/", 2)[2] for ref in refs if ref.startswith(("refs/tags/", "refs/heads/"))]
    near = tomltext.near(name, known)
    return gitfaults.no_such_ref(what, address, near, known)
