"""Programs that hooks start: those that fetch code from the network, and those to be declared."""

from __future__ import annotations

from collections.abc import Sequence

from hookpm.packs.check.finding import Finding, Source

INTERPRETERS = ("sh", "bash", "dash", "zsh", "ksh", "python", "python3", "node", "perl", "ruby")

# Programs that are not on every machine; a hook that lacks one fails, and a failure allows.
DECLARED = frozenset(
    [
        "bun",
        "deno",
        "docker",
        "eslint",
        "gh",
        "gitleaks",
        "jq",
        "node",
        "pnpm",
        "prettier",
        "rg",
        "ruff",
        "terraform",
        "uv",
        "yq",
    ]
)
_ALWAYS = frozenset(["bunx", "npx", "pnpx", "uvx"])
_WITH = {
    "brew": ("install",),
    "cargo": ("install",),
    "gem": ("install",),
    "npm": ("add", "ci", "exec", "i", "install", "x"),
    "pip": ("install", "download"),
    "pip3": ("install", "download"),
    "pipx": ("run", "install"),
    "pnpm": ("add", "dlx"),
    "yarn": ("add", "dlx"),
}


def from_network(name: str, arguments: Sequence[str]) -> str:
    """What of a command fetches code from the network, "" for nothing.

    name: the program; arguments: "" where one is not fixed.
    """
    words = [word for word in arguments if not word.startswith("-")]
    first = words[0] if words else ""
    if name in _ALWAYS:
        return "" if {"--no-install", "--no", "--offline"} & set(arguments) else name
    if first in _WITH.get(name, ()) and "--no-index" not in arguments:
        return f"{name} {first}"
    if name in ("apt-get", "apt", "dnf", "yum", "apk") and first in ("install", "add"):
        return f"{name} {first}"
    if name == "uv" and words[:2] in (["tool", "run"], ["tool", "install"], ["pip", "install"]):
        return f"uv {' '.join(words[:2])}"
    if name == "go" and first in ("run", "install") and any("@" in word for word in words[1:]):
        return f"go {first}"
    if name == "deno" and any(word.startswith(("http://", "https://", "npm:")) for word in words):
        return "deno run"
    if name.startswith("python") and list(arguments[:3]) == ["-m", "pip", "install"]:
        return f"{name} -m pip install"
    return ""


def network_finding(source: Source, line: int, what: str) -> Finding:
    """The finding for such a command."""
    return source.at(
        "network-runner",
        line,
        f"{what} fetches code while the agent waits: other code each day, and none offline",
        "a file of the pack, or a program that requires.programs lists",
    )


def undeclared_finding(source: Source, line: int, name: str) -> Finding:
    """The finding for a program that the manifest does not list."""
    return source.at(
        "program-undeclared",
        line,
        f"{name} is not on every machine; without it the hook fails, and a failure allows",
        f'[requires] programs = ["{name}"] in hookpack.toml, or a Python hook',
    )
