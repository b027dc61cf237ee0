"""What can go wrong between here and a server, as errors in words; no message holds a secret."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from hookpm.errors import FileFormatError, HookpmError, SystemFailureError
from hookpm.registry import address, credentials


class AgainError(Exception):
    """A fault that may be gone at the next try. told: what to raise if it is not."""

    def __init__(self, told: HookpmError, wait: float | None = None) -> None:
        super().__init__(told)
        self.told = told
        self.wait = wait


def too_large(url: str, limit: int) -> FileFormatError:
    """The error for an answer of more than `limit` bytes, as sent or unpacked."""
    return FileFormatError(
        f"the server sends more than the {limit:,} bytes that such a file may have",
        hint="tell whoever keeps the server",
        file=address.shown(url),
    )


def late(url: str, seconds: float | None = None) -> SystemFailureError:
    """The error for an answer that took too long."""
    within = "in time" if seconds is None else f"within {seconds:g} seconds"
    return SystemFailureError(
        f"{address.origin(url)} did not send {address.shown(url)} {within}",
        hint="try again later; --offline takes what is in the cache",
    )


def broken_off(error: Exception | None, url: str, got: int, size: int | None) -> Exception:
    """The error for a body that ended early. got, size: bytes that came, that were announced."""
    if isinstance(error, TimeoutError) or type(error).__name__ == "ReadTimeoutError":
        return late(url)
    of = f" of {size:,}" if size is not None else ""
    return AgainError(
        SystemFailureError(
            f"the download of {address.shown(url)} broke off",
            cause=f"{got:,}{of} bytes came",
            hint="run the command again",
        )
    )


def unwelcome(status: int, url: str, known: bool) -> HookpmError:
    """The error for a status that is no answer. known: credentials were sent."""
    where = address.origin(url)
    words = f"{status} {_phrase(status)}".strip()
    said = f"{where} answers {words} for {address.shown(url)}"
    if status in (401, 403, 407):
        token = credentials.variable(where)
        return SystemFailureError(
            said,
            cause="the credentials that were sent are not accepted"
            if known
            else f"no credentials for {where.host} were sent",
            hint=f"set {token}, or put a token for this host into hookpm's config.toml",
        )
    later = status == 429 or status >= 500
    return SystemFailureError(
        said, hint="try again later" if later else "look at the address in hookpm.toml"
    )


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def failed(error: Exception, url: str, proxied: bool) -> Exception:
    """What kept a request from being answered. The library's own words may hold secrets (a
    proxy's password): only the innermost reason is repeated, without addresses."""
    from requests import exceptions

    where = address.origin(url)
    reason = _innermost(error)
    if isinstance(error, exceptions.SSLError):
        return SystemFailureError(
            f"{where} cannot prove who it is",
            cause=reason,
            hint="with a certificate authority of your own, name its PEM file in SSL_CERT_FILE, "
            "or as ca-bundle in hookpm's config.toml",
        )
    if isinstance(error, exceptions.ProxyError):
        return SystemFailureError(
            f"the proxy does not lead to {where}",
            cause=reason,
            hint="look at HTTPS_PROXY and NO_PROXY",
        )
    if isinstance(error, exceptions.Timeout):
        return late(url)
    told = SystemFailureError(
        f"{where} cannot be reached" + (" through the proxy" if proxied else ""),
        cause=reason,
        hint="look at the network and the address; --offline takes what is in the cache",
    )
    return AgainError(told) if _is_reset(error) else told


def _chain(error: BaseException) -> list[BaseException]:
    """An exception, and what it wraps in one of the ways that requests and urllib3 have."""
    found: list[BaseException] = []
    todo: list[Any] = [error]
    while todo:
        each = todo.pop(0)
        if isinstance(each, BaseException) and each not in found and len(found) < 20:
            found.append(each)
            todo += [*each.args, getattr(each, "reason", None), each.__cause__, each.__context__]
    return found


def _innermost(error: Exception) -> str:
    """The system's or OpenSSL's words, which hold no address."""
    for each in reversed(_chain(error)):
        if isinstance(each, OSError) and not hasattr(each, "request"):
            text = getattr(each, "verify_message", "") or each.strerror or str(each)
            if text and "://" not in text and "@" not in text:
                return str(text)
    return type(error).__name__


def _is_reset(error: Exception) -> bool:
    """Was a connection cut that had been made?"""
    kinds = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)
    return any(
        isinstance(each, kinds) or type(each).__name__ in ("RemoteDisconnected", "IncompleteRead")
        for each in _chain(error)
    )
