"""hookpm verify: prove the install by hashes, entries, archives and a canary for every line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hookpm.cli import common, output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookpm.project.state import State
    from hookpm.project.status import Problem


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of verify."""
    common.add_project(parser)
    common.add_agents(parser, "prove this agent only")


def run(options: argparse.Namespace) -> int:
    """Prove everything; exit code 1 where something does not hold."""
    from hookpm import agents
    from hookpm.cli import report
    from hookpm.cli import status as status_command
    from hookpm.errors import NotFoundError
    from hookpm.project import canary, interpreter, state, status

    for name in options.agents:
        agents.load(name)
    now = state.load(common.find_root(options).path)
    if not now.lock.packs:
        raise NotFoundError(
            "no packs are installed here, so there is nothing to verify",
            hint="`hookpm install PACK` adds one",
        )
    interpreter.keep_link()
    problems = [*status.examine(now), *_archives(now)]
    wanted = options.agents or dict.fromkeys(
        [*(now.settings.agents or ()), *(w.agent for w in now.lock.wirings)]
    )
    proofs = [canary.prove(agents.load(name), now.root) for name in wanted]
    problems += [
        status.Problem("switched-off", "broken", None, None, line, "hookpm doctor shows more")
        for line in report.switched_off(now.root, list(wanted))
    ]
    ok = not problems and all(proof.ok for proof in proofs)
    if options.json:
        document = status_command.document(now, problems)
        if document["state"] == "ok" and not ok:
            document["state"] = "broken"
        document["verified"] = [proof._asdict() for proof in proofs]
        output.show_json(document)
        return 0 if ok else 1
    for proof in proofs:
        word = "proved" if proof.ok else "NOT PROVED"
        output.show(f"{proof.agent}: {word}: {proof.detail}")
    status_command.show_problems(problems)
    if ok:
        count = len(now.locked_files())
        output.show(f"verified: {count} files are the locked ones, every line answers")
    return 0 if ok else 1


def _archives(now: State) -> Iterator[Problem]:
    """The lock against the archives, where they can be had: a lock can be forged, an index not."""
    from hookpm.errors import HookpmError
    from hookpm.packs import archive
    from hookpm.project.generated import digest
    from hookpm.project.root import LOCK
    from hookpm.project.status import Problem
    from hookpm.registry import embedded

    registry = embedded.registry()
    for pack in now.lock.packs:
        if pack.source != registry.source:
            continue
        try:
            page = registry.pack(pack.name)
            release = page.release(pack.version) if page else None
            if release is None:
                continue
            data = registry.archive(pack.name, release)
            content = archive.unpack(data, release.archive)
            files = {path: digest(entry.data) for path, entry in content.files.items()}
            wrong = pack.archive != f"sha256:{release.sha256}" or files != pack.files
        except HookpmError as error:
            yield Problem(
                "archive", "drift", LOCK, None, f"{pack.name}: {error.message}", "upgrade hookpm"
            )
            continue
        if wrong:
            yield Problem(
                "forged",
                "broken",
                LOCK,
                None,
                f"{pack.name} {pack.version} in the lock is not the one that was published",
                "remove its block from the lock, then hookpm sync",
            )
