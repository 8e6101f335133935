"""Dynamic registration of applications (RFC 7591).

Every application may register. A registration grants nothing: an application gets a token only after a user approves
it. Applications without approval are deleted after a day, and earlier if there are more than `AT_MOST`.
"""

import re
import secrets
import unicodedata
from datetime import datetime, timedelta
from typing import Annotated, Literal
from urllib.parse import urlsplit
from uuid import uuid4

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from application.oauth import redirects
from application.oauth.client_tokens import TokenResponse, refuse
from application.parse_json import exceeded_limit
from application.schemas.base import few_marks
from application.scopes import Scope
from application.validation_issues import message_of
from domain.ports.oauth_grants import Application, Grants
from domain.shared.ids import ApplicationId
from domain.shared.object_names import digest

FORGOTTEN_AFTER = timedelta(days=1)
AT_MOST = 1_000
"""Maximum applications without approval; beyond it, the oldest are deleted."""

_HIDDEN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""Unicode categories with invisible or reordering characters, which falsify a displayed name."""

RedirectUri = Annotated[str, Field(max_length=redirects.MAX_LENGTH)]
Types = Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=20)]
AuthMethod = Literal["none", "client_secret_basic", "client_secret_post"]


class _InvalidRegistration(Exception):
    """The registration is refused, with this error code and description (RFC 7591 section 3.2.2)."""


class Registration(BaseModel):
    """The metadata of an application (RFC 7591 section 2). Unknown members are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)

    redirect_uris: Annotated[
        list[RedirectUri],
        Field(min_length=1, max_length=20, description=redirects.RULE),
    ]
    client_name: Annotated[
        Annotated[str, AfterValidator(few_marks)] | None,
        Field(max_length=100, description="the name that users see; none: the host"),
    ] = None
    token_endpoint_auth_method: Annotated[
        AuthMethod,
        Field(
            default="client_secret_basic",
            description="`none` for an application that can keep no secret",
        ),
    ]
    grant_types: Types = ["authorization_code"]
    response_types: Types = ["code"]

    @model_validator(mode="before")
    @classmethod
    def omit_empty(cls, members: object) -> object:
        """Drops members without a value, which some programs send for those that they do not set."""
        if not isinstance(members, dict):
            return members
        return {name: value for name, value in members.items() if value not in (None, "", [])}


class RegisteredRead(BaseModel):
    """A registered application (RFC 7591 section 3.2.1). The secret is shown once."""

    client_id: str
    client_id_issued_at: Annotated[int, Field(description="seconds since 1970")]
    client_secret: str | None = None
    client_secret_expires_at: Annotated[int | None, Field(description="0: never")] = None
    client_name: str
    redirect_uris: list[str]
    token_endpoint_auth_method: AuthMethod
    grant_types: list[str] = ["authorization_code", "refresh_token"]
    response_types: list[str] = ["code"]
    scope: str


class RegistrationErrorRead(BaseModel):
    """The error of a refused registration."""

    error: Annotated[str, Field(examples=["invalid_redirect_uri"])]
    error_description: str


async def answer_registration(grants: Grants, body: bytes, at: datetime) -> TokenResponse:
    """Stores the application and returns it with its secret, or an error of RFC 7591 section 3.2.2."""
    try:
        registered = await _register(grants, _read(body), at)
    except _InvalidRegistration as error:
        return refuse(400, *error.args)
    return TokenResponse(201, registered.model_dump(mode="json", exclude_none=True))


async def _register(grants: Grants, metadata: Registration, at: datetime) -> RegisteredRead:
    addresses = list(dict.fromkeys(metadata.redirect_uris))
    if not all(redirects.split(address) for address in addresses):
        raise _InvalidRegistration("invalid_redirect_uri", f"Give other redirect_uris: {redirects.RULE}.")
    if "authorization_code" not in metadata.grant_types or "code" not in metadata.response_types:
        raise _InvalidRegistration(
            "invalid_client_metadata",
            "Registered applications need the approval of a user: ask for the grant type authorization_code and the "
            "response type code. For an application of your own, `undersign client add` makes an id and a secret.",
        )
    is_public = metadata.token_endpoint_auth_method == "none"  # noqa: S105  # a method, not a secret
    secret = None if is_public else secrets.token_urlsafe(32)
    application = Application(
        application_id=ApplicationId(str(uuid4())),
        name=_name(metadata.client_name) or urlsplit(addresses[0]).hostname or addresses[0],
        redirect_uris=tuple(addresses),
        auth_method=metadata.token_endpoint_auth_method,
        secret_sha256=digest(secret.encode()) if secret else None,
        registered_at=at,
    )
    await grants.register(application, AT_MOST, at - FORGOTTEN_AFTER)
    return RegisteredRead(
        client_id=application.application_id,
        client_id_issued_at=int(at.timestamp()),
        client_secret=secret,
        client_secret_expires_at=0 if secret else None,
        client_name=application.name,
        redirect_uris=addresses,
        token_endpoint_auth_method=metadata.token_endpoint_auth_method,
        scope=" ".join(scope.value for scope in Scope),
    )


def _read(body: bytes) -> Registration:
    excess = exceeded_limit(body)
    if excess is not None:
        raise _InvalidRegistration("invalid_client_metadata", excess)
    try:
        return Registration.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        kind = "invalid_redirect_uri" if where.startswith("redirect_uris") else "invalid_client_metadata"
        raise _InvalidRegistration(kind, f"{where or 'The body'}: {message_of(first)}") from error


def _name(given: str | None) -> str:
    """Returns the name for display: in one line, without invisible characters."""
    visible = "".join(" " if unicodedata.category(character) in _HIDDEN else character for character in given or "")
    return re.sub(r"\s+", " ", visible).strip()
