"""Forms of the app that are posted twice: the second post gets the response to the first, and has no effect.

The response is stored under the token of the opened form and its content, as that to an `Idempotency-Key` is. A post
that changed nothing, or whose response is not to be stored, is executed again.
"""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from fastapi import Response

from domain.ports.database import DatabaseUnavailable
from domain.ports.idempotency import ClaimState, IdempotencyKeys
from domain.shared.ids import OrganisationId
from domain.shared.times import to_milliseconds

_WAIT = 0.2
"""Seconds between two looks at a form that another request executes."""


class FormAnswered(Exception):
    """The form was posted before. `address` is that of the page with the result."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__()


class OpenedForm:
    """One posted form, which is executed once. `key` is the same each time the opened form is posted."""

    def __init__(self, keys: IdempotencyKeys, organisation_id: OrganisationId, key: str) -> None:
        self._keys = keys
        self._form = organisation_id, key
        self._at = datetime.now(UTC)

    async def claim(self) -> None:
        """Waits while another request executes the form. Raises `FormAnswered` once it has a result."""
        while True:
            self._at = to_milliseconds(datetime.now(UTC))
            claim = await self._keys.claim(*self._form, self._form[1], self._at)
            if claim.state is ClaimState.ANSWERED and claim.answer:
                raise FormAnswered(claim.answer)
            if claim.state is not ClaimState.UNDER_WAY:
                return
            await asyncio.sleep(_WAIT)

    async def finish(self, response: Response) -> None:
        """Stores the address of the result. Without one, the form may be posted again."""
        with suppress(DatabaseUnavailable):  # then the claim expires, and the form may be posted again
            if address := _address_of_result(response):
                await self._keys.store_answer(*self._form, None, address)
            else:
                await self._keys.discard(*self._form, self._at)


def _address_of_result(response: Response) -> str | None:
    """Returns the page of the app that follows a form which took effect; None for others.

    A page with a new secret has the status 201, and names the page that a second post leads to.
    """
    if response.status_code == HTTPStatus.CREATED:
        return response.headers["content-location"]
    address = response.headers.get("location", "")
    if response.status_code != HTTPStatus.SEE_OTHER or not address.startswith("/app"):
        return None
    return None if "error" in parse_qs(urlsplit(address).query) else address
