"""hookpm verify: prove the install by hashes, entries, archives and a canary for every line."""

from __future__ import annotations

import argparse

from hookpm.cli import common, output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of verify."""
    common.add_network(parser)
    common.add_project(parser)
    common.add_agents(parser, "prove this agent only")


def run(options: argparse.Namespace) -> int:
    """Prove everything; exit code 1 where something does not hold."""
    from hookpm import agents
    from hookpm.cli import report
    from hookpm.cli import status as status_command
    from hookpm.errors import NotFoundError
    from hookpm.project import interpreter, state
    from hookpm.project.health import canary, published, status, wired
    from hookpm.project.health.problem import Problem, state_word

    for name in options.agents:
        agents.load(name)
    now = state.load(common.find_root(options).path, look=True)
    if not now.lock.packs:
        raise NotFoundError(
            "no packs are installed here, so there is nothing to verify",
            hint="`hookpm install PACK` adds one",
        )
    interpreter.keep_link()
    problems = [*status.examine(now), *published.examine(now)]
    wanted = options.agents or dict.fromkeys(
        [*(now.settings.agents or ()), *(w.agent for w in now.lock.wirings)]
    )
    chosen = [now.scope.agent(name) for name in wanted]
    idle = [agent.name for agent in chosen if wired.is_idle(now, agent)]
    proofs = canary.prove_all(chosen, now.root, elsewhere=now.scope.is_user, idle=idle)
    problems += [
        Problem("switched-off", "broken", None, None, line, "hookpm doctor shows more")
        for line in report.switched_off(now, list(wanted))
    ]
    ok = state_word(problems) == "ok" and all(proof.ok for proof in proofs)
    if options.json:
        document = status_command.document(now, problems)
        if document["state"] == "ok" and not ok:
            document["state"] = "broken"
        document["verified"] = [proof._asdict() for proof in proofs]
        output.show_json(document)
        return 0 if ok else 1
    for proof in proofs:
        output.show(proof.sentence)
    status_command.show_problems(problems)
    if ok:
        count = len(now.locked_files())
        output.show(f"verified: {count} files are the locked ones, every line answers")
    return 0 if ok else 1
