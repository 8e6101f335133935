"""Credentials tokens for calls that no client of ours makes."""

from cli.dev.dev_info import DevInfo
from tests import http_requests


def access_token(dev_info: DevInfo) -> str:
    """A token with every scope that the first client has."""
    answer = http_requests.post(
        f"{dev_info.api_url}/oidc/token",
        data={"grant_type": "client_credentials"},
        auth=(dev_info.client_id, dev_info.client_secret),
    )
    return str(answer.raise_for_status().json()["access_token"])
