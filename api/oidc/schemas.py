"""The answers about access, under the names of their RFCs."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class TokenRead(BaseModel):
    """An access token (RFC 6749 section 5.1)."""

    access_token: str
    token_type: Literal["Bearer"]
    expires_in: Annotated[int, Field(description="seconds", examples=[3600])]
    scope: Annotated[str, Field(examples=["read:sessions write:sessions"])]


class TokenErrorRead(BaseModel):
    """Why there is no token (RFC 6749 section 5.2)."""

    error: Annotated[str, Field(examples=["invalid_client"])]
    error_description: str | None = None


class ServerMetadata(BaseModel):
    """The authorization server (RFC 8414 section 2)."""

    issuer: str
    token_endpoint: str
    jwks_uri: str
    scopes_supported: list[str]
    service_documentation: str
    response_types_supported: list[str] = []
    grant_types_supported: list[str] = ["client_credentials"]
    token_endpoint_auth_methods_supported: list[str] = ["client_secret_basic", "client_secret_post"]
