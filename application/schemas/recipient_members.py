"""The members of a recipient in requests and responses (Specification 2.9), as in `domain.session.recipients`."""

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from application.schemas.base import KEY_RULE, ONE_LINE, ORDER_RULE, ROLE_RULE, Key, RequestModel, ResponseModel
from domain.session.recipients import RecipientRole
from domain.shared.frozen_model import omitted_default
from layout.schema.block_document import Language
from layout.schema.part import WHOLE

RecipientKey = Annotated[Key, Field(description=f"{KEY_RULE} Unique among the recipients.", examples=["client"])]
RecipientName = Annotated[str, Field(min_length=1, max_length=100), ONE_LINE]
SigningOrder = Annotated[
    Annotated[int, Field(ge=1, le=1000), WHOLE] | None,
    Field(description=f"{ORDER_RULE} Default: the position in `recipients`.", examples=[1]),
]


DELIVERY_RULE = (
    "`email`: the recipient gets an invitation and the later emails. `none`: they get no emails, and your program "
    "opens the documents for them with Create Signing Url."
)


Role = Annotated[
    RecipientRole,
    Field(
        description="`signer`: fills in fields and signs. `approver`: reads the documents, and approves or declines. "
        "`copy`: is asked for nothing, and gets the documents when all others have finished."
    ),
]


RecipientLanguage = Annotated[
    Language | None,
    Field(description="Language of the recipient's pages and emails. null: that of the session.", examples=["de"]),
]


class RecipientMembers(RequestModel):
    """The members that every request with recipients may have. The request says which of the first three it needs."""

    key: str | None
    name: str | None
    email: str | None
    signing_order: SigningOrder = None
    language: RecipientLanguage = None


class RecipientMembersRead(ResponseModel):
    """The members of a recipient of a session or template."""

    key: str = Field(description=KEY_RULE, examples=["client"])
    name: str = Field(description="Full name.", examples=["Ada Lovelace"])
    email: str = Field(description="Email address, in lower case.", examples=["ada@example.com"])
    signing_order: int = Field(description=ORDER_RULE, examples=[1])
    role: RecipientRole = omitted_default(RecipientRole.SIGNER, ROLE_RULE)
    language: str | SkipJsonSchema[None] = omitted_default(
        None, "Language of the recipient's pages and emails; absent: that of the session."
    )
