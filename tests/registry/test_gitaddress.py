"""Which addresses of git repositories are taken, and how they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookpm.errors import UsageError
from hookpm.registry import gitaddress


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("https://git.example.com/acme/guard", "https://git.example.com/acme/guard"),
        (
            "HTTPS://Git.Example.com:8443/acme/guard.git/",
            "https://git.example.com:8443/acme/guard.git",
        ),
        ("ssh://git@git.example.com/acme/guard", "ssh://git@git.example.com/acme/guard"),
        ("ssh://git.example.com:2222/acme/guard", "ssh://git.example.com:2222/acme/guard"),
        ("git@git.example.com:acme/guard.git", "ssh://git@git.example.com/acme/guard.git"),
        ("git@git.example.com:/acme/guard.git", "ssh://git@git.example.com/acme/guard.git"),
        ("git@[::1]:acme/guard", "ssh://git@[::1]/acme/guard"),
        ("file:///srv/git/guard", "file:///srv/git/guard"),
        ("file://localhost/srv/git/guard", "file:///srv/git/guard"),
        ("http://127.0.0.1:8080/guard", "http://127.0.0.1:8080/guard"),
        ("http://[::1]/guard", "http://[::1]/guard"),
    ],
)
def test_an_address_has_one_form(typed: str, written: str) -> None:
    assert gitaddress.problem(typed) is None
    assert gitaddress.checked(typed) == written
    assert gitaddress.checked(written) == written


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "guard",
        "./guard",
        "-oProxyCommand=x",
        "--upload-pack=x",
        "ext::sh -c touch% x",
        "ext::https://git.example.com/x",
        "fd::7/x",
        "https::https://git.example.com/x",
        "git://git.example.com/x",
        "ftp://git.example.com/x",
        "rsync://git.example.com/x",
        "http://git.example.com/x",
        "https:///x",
        "https://git.example.com",
        "https://git.example.com/",
        "https://git.example.com:port/x",
        "https://-git.example.com/x",
        "ssh://-oProxyCommand=x/y",
        "ssh://-oProxyCommand@git.example.com/y",
        "-oProxyCommand=x@git.example.com:y",
        "git@-oProxyCommand=x:y",
        "https://git.example.com/x?token=1",
        "https://git.example.com/x#y",
        "https://git.example.com/x y",
        "https://git.example.com/x\n",
        "https://git.example.com/x\u202e",
        "https://git.example.com\\@evil.example/x",
        "https://g\u0131t.example.com/x",
        "file://host/x",
        "file://./x",
        "file://",
        "c:/guard",
        "host:guard",
        "git@host::x",
        "git@host://x",
    ],
)
def test_anything_else_is_refused(typed: str) -> None:
    assert gitaddress.problem(typed) is not None
    with pytest.raises(UsageError):
        gitaddress.checked(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "https://s3cret@git.example.com/x",
        "https://user:s3cret@git.example.com/x",
        "ssh://git:s3cret@git.example.com/x",
        "http://s3cret@localhost/x",
        "file://s3cret@localhost/x",
        "https://x:s3cret@[::1/x",
        "ext://s3cret@git.example.com/x",
        "https://git.example.com/x?s3cret",
    ],
)
def test_what_may_be_a_secret_is_refused_and_not_shown(typed: str) -> None:
    with pytest.raises(UsageError) as caught:
        gitaddress.checked(typed)
    assert "s3cret" not in f"{caught.value.message} {caught.value.cause} {caught.value.hint}"


@given(st.text(max_size=40) | st.from_regex(r"(https|ssh|git\+ext|file)://[^/]*/.*"))
def test_what_is_taken_is_one_of_the_three_and_no_option(typed: str) -> None:
    if gitaddress.problem(typed) is not None:
        return
    written = gitaddress.checked(typed)
    assert written.startswith(("https://", "ssh://", "file:///", "http://"))
    assert written.isprintable()
    assert " " not in written
    assert "://-" not in written
    assert gitaddress.checked(written) == written


@pytest.mark.parametrize("name", ["v1", "v1.4.0", "feature/one", "a-b", "#1", "ünï", "a@b"])
def test_a_name_that_git_takes_is_taken(name: str) -> None:
    assert gitaddress.ref_problem(name) is None


@pytest.mark.parametrize(
    "name",
    ["", "-x", "--upload-pack=x", "a..b", "a b", "a\nb", "a~1", "a^", "a:b", "a?", "a*", "a[",
     "a\\b", "/a", "a/", "a//b", "a.", ".a", "a/.b", "a.lock", "a.lock/b", "@", "a@{1}",
     "a\u202eb"],
)  # fmt: skip
def test_a_name_that_git_refuses_or_could_be_an_option_is_refused(name: str) -> None:
    assert gitaddress.ref_problem(name) is not None
