"""Access tokens for calls that no client of ours makes."""

from cli.dev.handle import Handle
from tests import http_requests


def access_token(handle: Handle) -> str:
    """A token with every scope that the first client has."""
    answer = http_requests.post(
        f"{handle.api_url}/oidc/token",
        data={"grant_type": "client_credentials"},
        auth=(handle.client_id, handle.client_secret),
    )
    return str(answer.raise_for_status().json()["access_token"])
