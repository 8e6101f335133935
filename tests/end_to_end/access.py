"""Access to a running service: tokens for the API, sign-in links for the app."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from application.mail_outbox import read_outbox
from cli.data_directory import DevInfo
from tests import http_requests
from tests.end_to_end.installation import Installation

_SIGN_IN_LINK = re.compile(r"https?://\S+/app/sign-in/\S+")


def access_token(dev_info: DevInfo) -> str:
    """Returns a token with all scopes of the first client."""
    response = http_requests.post(
        f"{dev_info.api_url}/oidc/token",
        data={"grant_type": "client_credentials"},
        auth=(dev_info.client_id, dev_info.client_secret),
    )
    return str(response.raise_for_status().json()["access_token"])


@contextmanager
def client_of(installation: Installation) -> Iterator[httpx.Client]:
    """Opens an HTTP client of the installation's API with an access token."""
    url = installation.dev_info.api_url
    headers = {"Authorization": f"Bearer {access_token(installation.dev_info)}"}
    with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=http_requests.PATIENCE) as client:
        yield client


def sign_in_link(outbox: Path) -> str | None:
    """Returns the link of the latest sign-in mail; None if there is none yet."""
    links = (_SIGN_IN_LINK.search(mail.text) for mail in read_outbox(outbox))
    return next((link.group() for link in links if link), None)
