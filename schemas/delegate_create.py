"""The form with which a recipient passes their turn on to another person (Specification 3.8)."""

from typing import Annotated

from pydantic import Field

from schemas.base import MULTI_LINE, EmailAddress, RequestModel
from schemas.session_create import RecipientName


class DelegateCreate(RequestModel):
    """The person who is to act instead, and why."""

    name: RecipientName
    email: EmailAddress
    reason: Annotated[str, Field(min_length=1, max_length=1000), MULTI_LINE]
