"""Policies of profiles, and what a required pack brings with it."""

from __future__ import annotations

import pytest

from tests.project.world import HOOK, World

ASK = HOOK.replace('needs = ["deny"]', 'needs = ["ask"]')


def team(world: World, text: str, own: str = "") -> None:
    (world.base / "team").mkdir(exist_ok=True)
    (world.base / "team/hookpm.toml").write_text(text)
    world.write(".agents/hookpm.toml", f'extends = ["../team"]\n{own}')


def refused(world: World, *words: str) -> None:
    before = world.tree()
    done = world.run("sync")
    assert done.code == 1, done.text
    for word in words:
        assert word in done.err
    assert world.tree() == before
    assert world.run("status", "--json").json["state"] != "ok"
    assert words[0] in world.run("sync", "--check").err


def installed(world: World) -> None:
    """The repo is in order before it is weakened by hand."""
    world.ok("sync")


def test_agents_that_a_policy_wants_have_to_be_among_the_projects(world: World) -> None:
    policy = '[packs]\nguard = "*"\n[policy]\nagents = ["claude", "codex"]\n'
    team(world, policy)
    installed(world)
    agents = [wired["agent"] for wired in world.ok("status", "--json").json["agents"]]
    assert {"claude", "codex"} <= {*agents}
    team(world, policy, 'agents = ["claude"]\n')
    told = "codex has to be among the agents"
    refused(world, told, ".agents/hookpm.toml:2", "team/hookpm.toml:4")
    assert told in world.run("status").out


def test_packs_come_only_from_the_sources_that_a_policy_allows(world: World) -> None:
    policy = 'agents = ["claude"]\n[packs]\nguard = "*"\n[policy]\nsources = ["embedded"]\n'
    team(world, policy)
    installed(world)
    world.pack("house", at=world.repo / "house")
    team(world, policy, '\n[packs]\nhouse = { path = "house" }\n')
    refused(world, "house comes from path:house", ".agents/hookpm.toml:4", "team/hookpm.toml:5")
    done = world.run("install", "./house")
    assert done.code == 1


def test_a_registrys_name_in_a_policy_means_the_address_that_its_own_file_gives_it(
    world: World,
) -> None:
    head = 'agents = ["claude"]\n[registries]\ntheirs = "../index"\n[policy]\n'
    team(
        world,
        head + 'sources = ["theirs"]\n[packs]\nguard = { version = "*", registry = "theirs" }\n',
    )
    installed(world)
    world.index.rename(world.base / "index2")
    (world.base / "index").symlink_to("index2")
    team(
        world,
        head + 'sources = ["theirs"]\n[packs]\nguard = { version = "*", registry = "theirs" }\n',
        '[registries]\ntheirs = "../index2"\n',
    )
    refused(world, "guard comes from theirs, which the policy")


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("https://hooks.example.com/acme", True),
        ("https://hooks.example.com/acme/index", True),
        ("https://hooks.example.com/acmeevil", False),
        ("https://hooks.example.com.evil.example.com/acme", False),
        ("https://hooks.example.com/acme/../evil", False),
        ("https://hooks.example.com/acme/%2e%2e/evil", False),
        ("git+https://git.example.com/team/guard#subdirectory=x", True),
        ("git+https://git.example.com/team2/guard", False),
        ("path:x", False),
        ("embedded", False),
    ],
)
def test_an_address_in_a_policy_takes_what_lies_below_it(
    world: World, address: str, allowed: bool
) -> None:
    from hookpm.project import state
    from hookpm.project.profiles import policy

    registry = address if address.startswith("https") else "https://example.com"
    world.write(".agents/hookpm.toml", f'[registries]\nacme = "{registry}"\n')
    now = state.load(world.repo)
    source = "acme" if address.startswith("https") else address
    entries = ["https://hooks.example.com/acme/", "git+https://git.example.com/team"]
    assert any(policy._allows(now, {}, entry, source) for entry in entries) is allowed


def test_allow_gaps_is_refused_where_a_policy_refuses_gaps(world: World) -> None:
    world.publish(world.pack("rewriter", hooks=ASK))
    text = 'agents = ["claude"]\n[packs]\nguard = "*"\n[policy]\ngaps = "refuse"\n'
    team(world, text)
    installed(world)
    lone = world.run("install", "rewriter", "--agent=codex", "--allow-gaps")
    assert lone.code == 1
    assert "refuses gaps (../team/hookpm.toml:5)" in lone.err
    team(world, text.partition("[policy]")[0])
    world.ok("install", "rewriter", "--agent=codex", "--allow-gaps")


def test_a_policy_in_the_repos_own_file_counts_beside_the_profiles(world: World) -> None:
    text = 'agents = ["claude"]\n[packs]\nguard = "*"\n[policy]\nsources = ["embedded", "path"]\n'
    team(world, text, '\n[policy]\nsources = ["path"]\n')
    done = world.run("sync")
    assert done.code == 1
    assert "the policy of hookpm.toml does not allow" in done.err
    team(world, text.replace(', "path"', ""), '\n[policy]\nsources = ["embedded", "path"]\n')
    installed(world)
    world.pack("house", at=world.repo / "house")
    assert world.run("install", "./house").code == 1


def test_a_policy_counts_without_any_profile(world: World) -> None:
    world.write(
        ".agents/hookpm.toml",
        'agents = ["claude"]\n[packs]\nguard = "*"\n[policy]\nsources = []\n',
    )
    done = world.run("sync")
    assert done.code == 1
    assert "the policy of hookpm.toml does not allow" in done.err


def test_what_a_required_pack_needs_cannot_be_weakened_either(world: World) -> None:
    world.publish(world.pack("baseline", more='[dependencies]\nguard = ">=1"\n'))
    text = 'agents = ["claude"]\n[packs]\nbaseline = { version = "*", required = true }\n'
    team(world, text)
    installed(world)
    for line, word in (
        ('{ disable = ["guard"] }', "disable"),
        ('{ agents = ["codex"] }', "agents"),
        ('{ path = "../packs/guard-1.0.0" }', "path"),
    ):
        team(world, text, f"\n[packs]\nguard = {line}\n")
        refused(world, f"`{word}` of hookpm.toml cannot change what baseline needs", "toml:4")
    team(world, text, '\n[packs]\nguard = "~=1.0"\n')
    installed(world)


def test_a_required_pack_does_not_come_from_a_registry_of_the_repos(world: World) -> None:
    team(world, 'agents = ["claude"]\n[packs]\nfake = { version = "*", required = true }\n')
    world.publish(world.pack("fake"))
    installed(world)
    world.index.rename(world.base / "evil")
    world.publish(world.pack("guard"))
    own = '\n[registries]\nevil = "../evil"\n'
    team(world, 'agents = ["claude"]\n[packs]\nfake = { version = "*", required = true }\n', own)
    lock = world.read(".agents/hookpm.lock")
    head, _, rest = lock.partition('name = "fake"\nversion = "1.0.0"\nsource = "embedded"\n')
    archive, _, rest = rest.partition("\n")
    block = f'name = "fake"\nversion = "1.0.0"\nsource = "evil"\n{archive}\nurl = "../evil"\n'
    world.write(".agents/hookpm.lock", head + block + rest)
    done = world.run("sync", "--check")
    assert done.code == 1
    assert "none of that profile's registries" in done.err
