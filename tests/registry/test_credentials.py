"""Credentials belong to hosts: what a cloned repo names decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookpm.errors import SystemFailureError
from hookpm.registry.address import Origin, problem, shown
from hookpm.registry.credentials import HostLine, authorization, variable

HERE = Origin("https", "hooks.example.com", 443)
LABEL = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?", fullmatch=True)
TOP = st.from_regex(r"[a-z]([a-z0-9-]{0,4}[a-z0-9])?", fullmatch=True)
HOST = st.builds(lambda labels, top: ".".join([*labels, top]), st.lists(LABEL, max_size=3), TOP)
ORIGIN = st.builds(Origin, st.just("https"), HOST, st.sampled_from([443, 8443, 1]))


@given(ORIGIN, ORIGIN)
def test_no_two_hosts_share_a_variable(one: Origin, other: Origin) -> None:
    same = variable(one).lower() == variable(other).lower()
    assert same == (one == other)


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (HERE, "HOOKPM_TOKEN_hooks_example_com"),
        (HERE._replace(host="hooks-example.com"), "HOOKPM_TOKEN_hooks__example_com"),
        (HERE._replace(port=8443), "HOOKPM_TOKEN_hooks_example_com_8443"),
    ],
)
def test_a_hosts_variable_is_found_in_any_case(home: Path, where: Origin, name: str) -> None:
    assert variable(where) == name
    assert authorization(where, {}, {name: "t"}) == "Bearer t"
    assert authorization(where, {}, {name.upper(): " t\n"}) == "Bearer t"
    assert authorization(where._replace(host="example.com"), {}, {name: "t"}) is None
    assert authorization(where, {}, {name: ""}) is None


def test_nothing_is_sent_over_http_but_to_this_machine(home: Path) -> None:
    environment = {"HOOKPM_TOKEN_hooks_example_com_80": "t", "HOOKPM_TOKEN_127_0_0_1_80": "t"}
    assert authorization(Origin("http", "hooks.example.com", 80), {}, environment) is None
    assert authorization(Origin("http", "127.0.0.1", 80), {}, environment) == "Bearer t"


def test_the_environment_comes_before_the_configuration_and_that_before_netrc(
    home: Path,
) -> None:
    netrc = home / "elsewhere"
    netrc.write_text("machine hooks.example.com login n password n\n")
    environment = {"NETRC": str(netrc), variable(HERE): "env"}
    hosts = {"hooks.example.com": HostLine(token="file")}
    assert authorization(HERE, hosts, environment) == "Bearer env"
    del environment[variable(HERE)]
    assert authorization(HERE, hosts, environment) == "Bearer file"
    assert authorization(HERE, {}, environment) == "Basic bjpu"
    assert authorization(HERE, {}, {"NETRC": str(home / "gone")}) is None


def test_a_host_without_a_port_means_httpss_own(home: Path) -> None:
    hosts = {"hooks.example.com": HostLine(token="t")}
    assert authorization(HERE._replace(port=8443), hosts, {}) is None
    assert authorization(
        HERE._replace(port=8443), {"hooks.example.com:8443": hosts.popitem()[1]}, {}
    )


def test_what_is_printed_of_credentials_holds_none_of_them() -> None:
    assert "t0ken" not in repr({"a": HostLine(token="t0ken", password="t0ken")})


@given(st.text(max_size=30))
def test_any_text_is_an_address_or_a_problem_that_can_be_told(text: str) -> None:
    found = problem(text)
    assert found is None or (found.what and found.hint)
    assert "@" not in shown(f"https://user:{text}@hooks.example.com/a?{text}") or "/" in text


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        ("https://a:b@hooks.example.com:1/x?t=1#f", "https://hooks.example.com:1/x"),
        ("https://hooks.example.com:x/", "an address that cannot be read"),
        ("file:///a/b", "file:///a/b"),
    ],
)
def test_addresses_are_shown_without_what_may_be_secret(url: str, seen: str) -> None:
    assert shown(url) == seen


@pytest.mark.parametrize("url", ["https://hooks.example.com/x?t=1", "https://hooks.example.com#f"])
def test_the_base_of_a_registry_has_neither_query_nor_fragment(url: str) -> None:
    assert problem(url) is None
    assert problem(url, base=True) is not None


@pytest.mark.parametrize("token", ["s3cret\nX: y", "s3crét", "s3cret\x7f"])
def test_a_token_that_no_header_holds_is_said_and_not_repeated(home: Path, token: str) -> None:
    for hosts, environment in (
        ({}, {variable(HERE): token}),
        ({"hooks.example.com": HostLine(token=token)}, {}),
    ):
        with pytest.raises(SystemFailureError, match="the token for hooks") as caught:
            authorization(HERE, hosts, environment)
        assert "s3cr" not in f"{caught.value.message}{caught.value.cause}{caught.value.hint}"
