"""Responses of the OAuth endpoints. The members are named as in their RFCs."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class TokenRead(BaseModel):
    """An access token (RFC 6749 section 5.1)."""

    access_token: str = Field(description="The token. Send it as `Authorization: Bearer <access_token>`.")
    token_type: Literal["Bearer"]
    expires_in: int = Field(description="Lifetime of the token in seconds.", examples=[3600])
    scope: str = Field(description="Scopes, separated by spaces.", examples=["read:sessions write:sessions"])
    refresh_token: str | None = Field(None, description="Single-use token for the next one, of an approved program.")


class TokenErrorRead(BaseModel):
    """The error of a token request (RFC 6749 section 5.2)."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"error": "invalid_client", "error_description": "The client id or the secret is wrong."}]
        }
    )

    error: str = Field(description="Error code of OAuth.", examples=["invalid_client"])
    error_description: str | None = Field(None, description="Explanation for developers.")


_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]


class ServerMetadata(BaseModel):
    """Metadata of the authorization server (RFC 8414 section 2)."""

    issuer: str = Field(description="Address of this service.")
    authorization_endpoint: str = Field(description="Page on which users approve programs.")
    token_endpoint: str = Field(description="Endpoint that issues tokens.")
    registration_endpoint: str = Field(description="Endpoint at which programs register (RFC 7591).")
    revocation_endpoint: str = Field(description="Endpoint that revokes grants (RFC 7009).")
    jwks_uri: str = Field(description="Address of the public keys.")
    scopes_supported: list[str] = Field(description="All scopes.")
    service_documentation: str = Field(description="Address of the documentation.")
    response_types_supported: list[str] = Field(["code"], description="Supported response types.")
    response_modes_supported: list[str] = Field(["query"], description="Supported response modes.")
    grant_types_supported: list[str] = Field(
        ["client_credentials", "authorization_code", "refresh_token"], description="Supported grant types."
    )
    token_endpoint_auth_methods_supported: list[str] = Field(
        _AUTH_METHODS, description="How clients authenticate at the token endpoint."
    )
    revocation_endpoint_auth_methods_supported: list[str] = Field(
        _AUTH_METHODS, description="How clients authenticate at the revocation endpoint."
    )
    code_challenge_methods_supported: list[str] = Field(["S256"], description="Supported methods of PKCE (RFC 7636).")
    authorization_response_iss_parameter_supported: bool = Field(True, description="Always true (RFC 9207).")


class ResourceMetadata(BaseModel):
    """Metadata of a protected resource (RFC 9728 section 2)."""

    resource: str = Field(description="Address of the resource, which is the audience of its tokens.")
    authorization_servers: list[str] = Field(description="Issuers of its tokens.")
    jwks_uri: str = Field(description="Address of the public keys.")
    scopes_supported: list[str] = Field(description="All scopes.")
    bearer_methods_supported: list[str] = Field(["header"], description="Supported methods of sending tokens.")
    resource_name: str = Field(description="Name of the resource for display.")
    resource_documentation: str = Field(description="Address of the documentation.")
