"""Signing URLs, and the origins whose pages may frame signing pages (Specification 4.27, 4.28)."""

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from application.schemas.base import RecipientUuid, RequestModel, ResponseModel, SessionUuid, Timestamp
from domain.shared.check_origins import MAX_ORIGINS, RULE, is_origin, origin_of

_EXAMPLE = "https://app.example.com"
_RETURN_RULE = (
    "Give an absolute https address without user name, password and fragment, or an http address of localhost or "
    "127.0.0.1."
)


def _origin(text: str) -> str:
    if not is_origin(text):
        raise PydanticCustomError("origin", "{rule}", {"rule": RULE})
    return text


def _return_url(text: str) -> str:
    if origin_of(text) is None:
        raise PydanticCustomError("return_url", "{rule}", {"rule": _RETURN_RULE})
    return text


Origin = Annotated[str, StringConstraints(max_length=300), AfterValidator(_origin)]


class SigningUrlCreate(RequestModel):
    """How the recipient opens the documents: in a frame, or in a window that is redirected afterwards."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"origin": _EXAMPLE}]})

    origin: Origin | None = Field(
        None,
        description="Origin of the page that frames the visit: one of the frame origins of the organisation. null: no "
        "page may frame it.",
        examples=[_EXAMPLE],
    )
    return_url: Annotated[str, StringConstraints(max_length=500), AfterValidator(_return_url)] | None = Field(
        None,
        description="Address to which the browser goes after signing or declining, or when the visit has expired, "
        "with the query parameter `event`: `signed`, `declined` or `expired`. In a frame, a link leads there. null: "
        f"the recipient stays on the page. {_RETURN_RULE}",
        examples=[f"{_EXAMPLE}/contracts/7"],
    )


class SigningUrlCreated(ResponseModel):
    """An address that opens the documents for one recipient, once."""

    session_id: SessionUuid
    recipient_id: RecipientUuid
    url: str = Field(
        description="The address. The person who opens it acts as the recipient: give it to them alone, and do not "
        "store it.",
        examples=["https://sign.example.com/open/AbC123"],
    )
    expires_at: Timestamp = Field(description="Time after which it cannot be opened: 10 minutes after the request.")


class FramingUpdate(RequestModel):
    """All origins whose pages may frame signing pages."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"frameOrigins": [_EXAMPLE]}]})

    frame_origins: Annotated[tuple[Origin, ...], Field(max_length=MAX_ORIGINS, description=RULE)]


class FrameOriginsRead(ResponseModel):
    """The origins whose pages may frame signing pages."""

    frame_origins: tuple[str, ...] = Field(
        description="All of them, in the order in which they were set.", examples=[[_EXAMPLE]]
    )
