"""Responses of the OAuth endpoints, under the names of their RFCs."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class TokenRead(BaseModel):
    """An access token (RFC 6749 section 5.1)."""

    access_token: str
    token_type: Literal["Bearer"]
    expires_in: Annotated[int, Field(description="seconds", examples=[3600])]
    scope: Annotated[str, Field(examples=["read:sessions write:sessions"])]
    refresh_token: Annotated[
        str | None, Field(description="for the next access token, once; only with what a person approved")
    ] = None


class TokenErrorRead(BaseModel):
    """The error of a token request (RFC 6749 section 5.2)."""

    error: Annotated[str, Field(examples=["invalid_client"])]
    error_description: str | None = None


class ServerMetadata(BaseModel):
    """The authorization server (RFC 8414 section 2)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str
    revocation_endpoint: str
    jwks_uri: str
    scopes_supported: list[str]
    service_documentation: str
    response_types_supported: list[str] = ["code"]
    response_modes_supported: list[str] = ["query"]
    grant_types_supported: list[str] = ["client_credentials", "authorization_code", "refresh_token"]
    token_endpoint_auth_methods_supported: list[str] = ["client_secret_basic", "client_secret_post", "none"]
    revocation_endpoint_auth_methods_supported: list[str] = ["client_secret_basic", "client_secret_post", "none"]
    code_challenge_methods_supported: list[str] = ["S256"]
    authorization_response_iss_parameter_supported: bool = True


class ResourceMetadata(BaseModel):
    """The protected resource, and its authorization server (RFC 9728 section 2)."""

    resource: str
    authorization_servers: list[str]
    jwks_uri: str
    scopes_supported: list[str]
    bearer_methods_supported: list[str] = ["header"]
    resource_name: str
    resource_documentation: str
