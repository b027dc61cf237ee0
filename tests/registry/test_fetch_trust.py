"""Whom hookpm believes and whom it tells: certificates, proxies, credentials."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import trustme

from hookpm.errors import RefusedError, SystemFailureError
from hookpm.registry.credentials import HostLine
from tests.registry.conftest import tls_of
from tests.registry.fetching import BODY, fetcher, said
from tests.registry.server import Site, proxying, serving

# --- who the server is -----------------------------------------------------------------------


def test_a_server_of_an_unknown_authority_is_refused(
    site: Site, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(SystemFailureError, match="cannot prove who it is") as caught:
        fetcher(home).get(f"{site.url}/a", limit=10)
    assert "issuer certificate" in (caught.value.cause or "")
    assert "SSL_CERT_FILE" in (caught.value.hint or "")


def test_a_certificate_for_another_name_is_refused(
    site: Site, home: Path, authority: trustme.CA
) -> None:
    with serving(tls_of(authority, "hooks.example.com")) as other:
        with pytest.raises(SystemFailureError, match="cannot prove who it is") as caught:
            fetcher(home).get(f"{other.url}/a", limit=10)
        assert other.log == []
    assert "127.0.0.1" in (caught.value.cause or "")


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", None])
def test_authorities_of_ones_own_come_from_variables_or_the_configuration(
    site: Site, home: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None
) -> None:
    bundle = os.environ["SSL_CERT_FILE"]
    monkeypatch.delenv("SSL_CERT_FILE")
    if variable is not None:
        monkeypatch.setenv(variable, bundle)
    site.files["/a"] = BODY
    trusting = fetcher(home, bundle=None if variable else bundle)
    assert trusting.get(f"{site.url}/a", limit=10_000) == BODY


@pytest.mark.parametrize("text", [None, "nothing", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
def test_authorities_that_cannot_be_read_are_said(
    home: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    if text is not None:
        (home / "a.pem").write_text(text)
    monkeypatch.setenv("SSL_CERT_FILE", str(home / "a.pem"))
    with pytest.raises(SystemFailureError, match=r"no certificates in .*a\.pem, which SSL_CERT"):
        fetcher(home).get("https://hooks.example.com/a", limit=10)


# --- proxies ---------------------------------------------------------------------------------


@pytest.fixture
def named(home: Path, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch) -> None:
    """The authority is trusted; there is no way to hooks.example.com but a proxy."""
    authority.cert_pem.write_to_path(home / "authority.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(home / "authority.pem"))


@pytest.mark.usefixtures("named")
def test_a_proxy_is_used_and_sees_no_credentials_of_the_host(
    home: Path, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tls_of(authority, "hooks.example.com")) as there, proxying() as proxy:
        port = there.url.rpartition(":")[2]
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("//", "//me:pr0xy@"))
        there.files["/a"] = BODY
        hosts = {f"hooks.example.com:{port}": HostLine(token="t0ken")}
        url = f"https://hooks.example.com:{port}/a"
        assert fetcher(home, hosts=hosts).get(url, limit=10_000) == BODY
    assert [asked.path for asked in proxy.log] == [f"hooks.example.com:{port}"]
    assert "authorization" not in proxy.log[0].headers
    assert proxy.log[0].headers["proxy-authorization"].startswith("Basic ")
    assert there.log[0].headers["authorization"] == "Bearer t0ken"


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize("status", [403, 407, 502])
def test_a_proxy_that_refuses_is_named_without_its_password(
    home: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    with proxying(refuse=status) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("//", "//me:pr0xy@"))
        with pytest.raises(SystemFailureError, match="the proxy does not lead to") as caught:
            fetcher(home).get("https://hooks.example.com/a", limit=10)
    assert "pr0xy" not in said(caught.value)
    assert "HTTPS_PROXY" in said(caught.value)
    assert str(status) in said(caught.value)


def test_this_machine_and_no_proxy_are_asked_without_a_proxy(
    site: Site, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.files["/a"] = BODY
    with proxying(refuse=403) as proxy, serving() as plain:
        for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        plain.files["/a"] = BODY
        assert fetcher(home).get(f"{site.url}/a", limit=10_000) == BODY
        assert fetcher(home).get(f"{plain.url}/a", limit=10_000) == BODY
        monkeypatch.setenv("NO_PROXY", ".invalid")
        with pytest.raises(SystemFailureError, match="cannot be reached"):
            fetcher(home).get("https://no.such.host.invalid/a", limit=10)
        assert proxy.log == []


# --- credentials -----------------------------------------------------------------------------


def sent(site: Site, home: Path, hosts: dict[str, HostLine] | None = None) -> str | None:
    """The Authorization header that the site sees."""
    site.files["/a"] = BODY
    fetcher(home, hosts=hosts).get(f"{site.url}/a", limit=10_000)
    return site.log[-1].headers.get("authorization")


def test_nothing_is_sent_to_a_host_that_nobody_named(site: Site, home: Path) -> None:
    assert sent(site, home, hosts={"hooks.example.com": HostLine(token="t0ken")}) is None
    assert sent(site, home, hosts={"127.0.0.1:1": HostLine(token="t0ken")}) is None


def test_a_token_and_a_password_reach_their_host(
    site: Site, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = site.url.removeprefix("https://")
    assert sent(site, home, hosts={where: HostLine(token="t0ken")}) == "Bearer t0ken"
    both = HostLine(username="me", password="pa:ss")
    assert sent(site, home, hosts={where: both}) == "Basic bWU6cGE6c3M="
    monkeypatch.setenv(f"HOOKPM_TOKEN_127_0_0_1_{where.rpartition(':')[2]}", "n3w")
    assert sent(site, home, hosts={where: both}) == "Bearer n3w"


def test_netrc_is_read_for_its_host_and_its_default_is_not(site: Site, home: Path) -> None:
    netrc = home / ".netrc"
    netrc.write_text("default login x password y\n")
    netrc.chmod(0o600)
    assert sent(site, home) is None
    netrc.write_text("machine 127.0.0.1 login me password pa:ss\n")
    assert sent(site, home) == "Basic bWU6cGE6c3M="
    netrc.write_text("machine")
    assert sent(site, home) is None


def test_a_redirect_on_the_same_host_keeps_the_credentials_and_another_gets_none(
    site: Site, home: Path, authority: trustme.CA
) -> None:
    where = site.url.removeprefix("https://")
    hosts = {where: HostLine(token="t0ken")}
    site.files["/a"] = lambda to: to.reply(302, Location="/b")
    site.files["/b"] = BODY
    get = fetcher(home, hosts=hosts).get
    get(f"{site.url}/a", limit=10_000)
    assert [asked.headers["authorization"] for asked in site.log] == ["Bearer t0ken"] * 2
    with serving(tls_of(authority)) as other:
        site.files["/a"] = lambda to: to.reply(302, Location=f"{other.url}/b")
        with pytest.raises(RefusedError) as caught:
            get(f"{site.url}/a", limit=10_000)
        assert other.log == []
    assert "t0ken" not in said(caught.value)


def test_a_server_that_wants_credentials_is_answered_with_how_to_give_them(
    site: Site, home: Path
) -> None:
    site.files["/a"] = lambda to: to.reply(401)
    where = site.url.removeprefix("https://")
    with pytest.raises(SystemFailureError) as caught:
        fetcher(home).get(f"{site.url}/a", limit=10)
    assert "no credentials for 127.0.0.1" in (caught.value.cause or "")
    assert f"HOOKPM_TOKEN_127_0_0_1_{where.rpartition(':')[2]}" in (caught.value.hint or "")
    with pytest.raises(SystemFailureError) as caught:
        fetcher(home, hosts={where: HostLine(token="t0ken")}).get(f"{site.url}/a", limit=10)
    assert "not accepted" in (caught.value.cause or "")
    assert "t0ken" not in said(caught.value)


def test_cookies_are_not_kept(site: Site, home: Path) -> None:
    site.files["/a"] = lambda to: to.reply(200, BODY, Set_Cookie="a=b; Path=/")
    get = fetcher(home).get
    get(f"{site.url}/a", limit=10_000)
    get(f"{site.url}/a", limit=10_000)
    assert "cookie" not in site.log[1].headers
