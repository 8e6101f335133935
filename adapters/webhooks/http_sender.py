"""Delivers callbacks over HTTP. Receivers may be unavailable, slow or hostile."""

import asyncio
import re
import ssl
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from time import monotonic

import httpcore
import httpx

from adapters.webhooks.ssrf_guard import AddressRefused, Lookup, NameNotFound, SsrfSafeBackend, look_up
from domain.callbacks.callback_urls import callback_url_errors
from domain.callbacks.delivery_schedule import Attempt
from domain.shared.times import to_milliseconds
from domain.shared.version import VERSION

TRY_SECONDS = 15.0
"""Timeout in seconds of a whole attempt, from the DNS look-up to the response (Specification 6.3)."""

READ_BYTES = 1024
"""Bytes of a response body that are read and discarded, so that well-behaved receivers can finish."""


class HttpSender:
    """Implements `CallbackSender`. `private` allows plain HTTP and addresses that are not public.

    `trust` holds the trusted certificates (by default those of the system). `lookup` resolves names to addresses.
    """

    def __init__(
        self,
        *,
        private: bool,
        trust: ssl.SSLContext | None = None,
        lookup: Lookup = look_up,
        try_seconds: float = TRY_SECONDS,
    ) -> None:
        self._private = private
        self._trust = trust or httpx.create_ssl_context()
        self._lookup = lookup
        self._try_seconds = try_seconds

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        at, begin = to_milliseconds(datetime.now(UTC)), monotonic()
        answer = _Answer()
        faults = callback_url_errors(url, private=self._private)
        error: str | None = " ".join(faults) or await self._post(url, {**_HEADERS, **headers}, body, answer)
        if answer.status is not None:
            is_success = 200 <= answer.status < 300
            error = None if is_success else _refusal(answer)
        return Attempt(
            at=at,
            status_code=answer.status,
            error=error,
            duration_ms=round((monotonic() - begin) * 1000),
            retry_after=_retry_after(answer.retry_after, datetime.now(UTC)),
        )

    async def _post(self, url: str, headers: Mapping[str, str], body: bytes, answer: "_Answer") -> str:
        """Sends the request and fills in `answer`. Returns the error, which may follow a response, or ""."""
        backend = SsrfSafeBackend(private=self._private, lookup=self._lookup)
        try:
            async with (
                asyncio.timeout(self._try_seconds),
                # A pool for one attempt: connections are not reused, so every address is checked.
                httpcore.AsyncConnectionPool(ssl_context=self._trust, network_backend=backend) as pool,
                pool.stream(
                    "POST",
                    url,
                    headers=list(headers.items()),
                    content=body,
                    # A little less than the whole time, so that the error names the slow step.
                    extensions={"timeout": {"connect": self._try_seconds * 0.9}},
                ) as response,
            ):
                answer.status = response.status
                answer.retry_after = _header(response, b"retry-after")
                answer.location = _header(response, b"location")
                await _read_a_little(response)
        except TimeoutError:
            return f"no answer within {self._try_seconds:g} s"
        except Exception as error:  # noqa: BLE001  # every error that a receiver provokes is the receiver's failure
            return _in_words(error)
        finally:
            await backend.close()
        return ""


class _Answer:
    """The receiver's response."""

    status: int | None = None
    retry_after: str = ""
    location: str = ""


def _refusal(answer: _Answer) -> str:
    """Returns the error of a response that is no success. Of the address of a redirect, it names scheme and host."""
    if answer.status in _REDIRECTS:
        host = re.match(r"https?://[A-Za-z0-9.:_\[\]-]{1,100}", answer.location)
        to = f" to {host[0]}" if host else ""
        return (
            f"the receiver answered {answer.status}, a redirect{to}; redirects are not followed, use the final address"
        )
    return f"the receiver answered {answer.status}"


_REDIRECTS = frozenset({301, 302, 303, 307, 308})

_HEADERS = {"content-type": "application/json", "user-agent": f"Undersign/{VERSION}"}

_WORDS: tuple[tuple[type[Exception], str], ...] = (
    (AddressRefused, "the name of the receiver has an address that is not public"),
    (NameNotFound, "the name of the receiver has no address"),
    (httpcore.ConnectTimeout, "the receiver cannot be reached"),
    (httpcore.ConnectError, "the connection was refused or broke"),
    (httpcore.NetworkError, "the connection broke before an answer came"),
    (httpcore.RemoteProtocolError, "the receiver closed the connection, or its response is not HTTP"),
)


def _header(response: httpcore.Response, name: bytes) -> str:
    """Returns the first header of that name (in lower case), or an empty text."""
    return next((value.decode("latin-1") for found, value in response.headers if found.lower() == name), "")


async def _read_a_little(response: httpcore.Response) -> None:
    read = 0
    async for part in response.aiter_stream():
        read += len(part)
        if read >= READ_BYTES:
            return


def _in_words(error: Exception) -> str:
    known = next((words for kind, words in _WORDS if isinstance(error, kind)), None)
    if known is not None and not isinstance(error, httpcore.ConnectError):
        return known
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"the certificate is not valid: {cause.verify_message}"
        if isinstance(cause, ssl.SSLError):
            return "the receiver does not speak TLS at this port, or supports no version or cipher that is accepted"
        cause = cause.__cause__ or cause.__context__
    return known or f"it failed unexpectedly ({type(error).__name__})"


def _retry_after(header: str, now: datetime) -> timedelta | None:
    """Parses seconds or a date; None if it is neither."""
    if header.isascii() and header.isdigit():
        return timedelta(seconds=min(int(header[:9]), 10**8))
    try:
        return max(parsedate_to_datetime(header) - now, timedelta())
    except (ValueError, TypeError, OverflowError):
        return None
