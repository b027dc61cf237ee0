"""What stands at the end of a command's --help: what its exit code says, and examples."""

from __future__ import annotations

# Command, or command and verb -> lines to be typed.
EXAMPLES = {
    "init": (
        "hookpm init --profile git+https://git.example.com/acme/hookpm-profile@v3",
        "hookpm init --user-bridge --dry-run",
    ),
    "install": (
        "hookpm install protect-secrets",
        "hookpm install 'protect-secrets>=1,<2' --agent claude --agent codex",
        "hookpm install ./my-pack --dry-run",
        "hookpm install 'git+https://git.example.com/acme/hooks@v1#subdirectory=packs/guard'",
        "hookpm install guard --registry acme=https://hooks.example.com/index",
    ),
    "uninstall": ("hookpm uninstall protect-secrets",),
    "sync": (
        "hookpm sync --check",
        "hookpm sync --locked --yes",
        "hookpm sync --check --profile git+https://git.example.com/acme/hookpm-profile@v3",
    ),
    "update": ("hookpm update --dry-run", "hookpm update protect-secrets"),
    "outdated": ("hookpm outdated --json",),
    "review": ("hookpm review --full", "hookpm review --since main"),
    "disable": ("hookpm disable protect-secrets/guard-files",),
    "enable": ("hookpm enable protect-secrets",),
    "why": ("hookpm why protect-secrets",),
    "search": ("hookpm search secrets",),
    "info": ("hookpm info protect-secrets", "hookpm info protect-secrets==1.0.0 --agent codex"),
    "migrate": ("hookpm migrate --dry-run", "hookpm migrate --remove", "hookpm migrate --undo"),
    "verify": ("hookpm verify --offline",),
    "audit": ("hookpm audit", "hookpm audit protect-secrets --agent codex"),
    "agents": ("hookpm agents codex",),
    "allow": ("hookpm allow --list",),
    "probe": ("hookpm probe codex", "hookpm probe codex --installed ./codex --update"),
    "try": (
        """hookpm try ./my-pack --tool Bash --input '{"command": "ls"}'""",
        "hookpm try protect-secrets --tool Read --input @call.json --agent codex --agent gemini",
        "hookpm try ./my-pack --prompt 'deploy it'",
    ),
    "schema": ("hookpm schema hookpack",),
    "pack new": (
        "hookpm pack new no-force-push",
        "hookpm pack new tests-first --event Stop --lang sh",
    ),
    "pack check": ("hookpm pack check ./no-force-push",),
    "pack test": ("hookpm pack test ./no-force-push --agent all",),
    "pack build": ("hookpm pack build ./no-force-push --to dist",),
    "pack publish": ("hookpm pack publish ./no-force-push --to my-index",),
    "pack yank": (
        "hookpm pack yank no-force-push 1.0.0 --to my-index --reason 'denies too much'",
        "hookpm pack yank no-force-push 1.0.0 --to my-index --undo",
    ),
}


# Command -> what its exit code says beyond "done" and "could not".
EXITS = {
    "install": "1 where a need is not met, an agent is left unwired, or git ignores a file",
    "sync": "1 where not all is whole; with --check also where anything would change",
    "review": "1 while anything is new and not approved",
    "outdated": "1 where a pack or a profile is not the newest",
    "migrate": "1 where hooks had to stay",
    "status": "1 where anything is wrong",
    "doctor": "1 where something keeps hooks from running",
    "verify": "1 where anything does not hold",
    "audit": "1 where an agent does not meet a need",
    "probe": "1 where the table is wrong; 0 again with --update",
    "search": "3 where a registry could not be asked",
    "try": "0 whatever is decided",
    "pack check": "1 where there is a finding",
    "pack test": "1 where a case fails",
}


def epilog(command: str) -> str | None:
    """What stands below the options of a command (`install`, `pack new`); None for nothing."""
    parts = []
    if command in EXITS:
        parts.append(f"exit code: {EXITS[command]}")
    if lines := EXAMPLES.get(command, ()):
        head = "examples:" if len(lines) > 1 else "example:"
        parts.append("\n".join((head, *(f"  {line}" for line in lines))))
    return "\n\n".join(parts) or None
