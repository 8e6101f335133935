"""The client of a timestamp authority (RFC 3161) over HTTP, which verifies every token.

The client sends one request. If that fails, `adapters.sealing.sealer` seals without a timestamp, and the workflow
augments the seal.
"""

import asyncio
from datetime import datetime
from urllib.parse import urlsplit

import httpx
from asn1crypto import cms, core, tsp, x509
from pyhanko.sign.timestamps import TimeStamper
from pyhanko.sign.timestamps.common_utils import TimestampRequestError, handle_tsp_response
from pyhanko.sign.validation.generic_cms import validate_tst_signed_data
from pyhanko_certvalidator import ValidationContext

from domain.ports.seals import TimestampsFailed
from domain.shared.error_redaction import connection_problem
from pades.containers import canonical_token
from pades.parse_errors import PARSE_ERRORS

SECONDS = 10.0
"""Timeout of an authority. Most respond within half a second, and a document waits meanwhile."""

MAX_LENGTH = 64 * 1024
"""Maximum bytes of a response. A response with all certificates has about 6 KB."""


def time_of(token: cms.ContentInfo) -> datetime:
    """Returns the time in a token."""
    time: datetime = token["content"]["encap_content_info"]["content"].parsed["gen_time"].native
    return time


class _Answer(core.Sequence):  # type: ignore[misc]  # the library is not annotated
    """A `TimeStampResp` (RFC 3161, 2.4.2). The library's own class requires a token even in a refusal."""

    _fields = [("status", tsp.PKIStatusInfo), ("time_stamp_token", cms.ContentInfo, {"optional": True})]  # noqa: RUF012


class HttpTimestampAuthority:
    """A timestamp authority. `address` may hold a user and a password. Tokens are trusted under `roots` (DER)."""

    def __init__(self, address: str, roots: tuple[bytes, ...]) -> None:
        self._address = address
        self._host = urlsplit(address).netloc.rpartition("@")[2] or "its address"
        self.roots = roots
        self._roots = [x509.Certificate.load(root) for root in roots]
        self._requests = TimeStamper()  # serialises the request only
        self._http: httpx.AsyncClient | None = None

    async def stamp(self, digest: bytes) -> cms.ContentInfo:
        """Returns a verified token over `digest` (SHA-256). Raises `TimestampsFailed`."""
        nonce, request = self._requests.request_cms(digest, "sha256")
        answer = await self._ask(request.dump())
        try:
            token = handle_tsp_response(_Answer.load(answer, strict=True), nonce)
            await self._check(token, digest)
            canonical_token(token.dump(), self.roots)  # the form in which it is kept
        except TimestampRequestError as error:
            raise self._failed(f"refuses: {error}") from error
        except PARSE_ERRORS as error:
            raise self._failed("returned an invalid timestamp") from error
        return token

    async def _ask(self, request: bytes) -> bytes:
        self._http = self._http or httpx.AsyncClient(timeout=SECONDS, follow_redirects=False)
        headers = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}
        read = bytearray()
        try:
            async with (
                asyncio.timeout(SECONDS),
                self._http.stream("POST", self._address, content=request, headers=headers) as answer,
            ):
                if answer.status_code != httpx.codes.OK:
                    raise self._failed(f"answers {answer.status_code}")
                async for part in answer.aiter_bytes():
                    read += part
                    if len(read) > MAX_LENGTH:
                        raise self._failed(f"answers more than {MAX_LENGTH // 1024} KiB")
        except (TimeoutError, httpx.TimeoutException) as error:
            raise self._failed(f"does not answer within {SECONDS:.0f} seconds") from error
        except httpx.InvalidURL as error:
            raise self._failed("cannot be reached: UNDERSIGN_TIMESTAMP_URL is not valid") from error
        except httpx.HTTPError as error:
            raise self._failed(f"cannot be reached ({connection_problem(error)})") from error
        return bytes(read)

    async def _check(self, token: cms.ContentInfo, digest: bytes) -> None:
        certificates = [choice.chosen for choice in token["content"]["certificates"]]
        context = ValidationContext(trust_roots=self._roots, other_certs=certificates, allow_fetching=False)
        found = await validate_tst_signed_data(token["content"], context, lambda _algorithm: digest)
        if not (found["intact"] and found["valid"]):
            raise self._failed("signs something else than what it was asked to")
        if found["trust_problem_indic"] is not None or found["validation_path"] is None:
            raise self._failed("is not trusted: no root in UNDERSIGN_TIMESTAMP_ROOTS issued its certificate")

    def _failed(self, what: str) -> TimestampsFailed:
        return TimestampsFailed(f"The timestamp authority at {self._host} {what}.")
