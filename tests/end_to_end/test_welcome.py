"""What the service prints when it has started is right."""

import json
import re
import subprocess

import pytest

from cli.dev.welcome import curl_calls
from tests import http_requests
from tests.end_to_end.access import sign_in_link
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from undersign import Client


@pytest.mark.curl
def test_the_three_calls_make_and_send_a_session_when_pasted(installation: Installation, service: Client) -> None:
    calls = curl_calls(installation.data_dir.resolve(), installation.dev_info)

    answer = subprocess.run(
        ["/bin/sh"], input=calls, capture_output=True, text=True, timeout=http_requests.PATIENCE, check=True
    )

    assert calls in installation.output
    assert answer.stderr == ""
    sent = json.loads(answer.stdout)
    assert sent["status"] == "pending"
    assert service.get_session(sent["sessionId"]).name == "Consulting agreement"


def test_no_secret_is_printed(installation: Installation) -> None:
    assert installation.dev_info.client_secret not in installation.output


def test_every_address_that_is_printed_answers(installation: Installation) -> None:
    dev_info = installation.dev_info
    addresses = [
        dev_info.app_url,
        dev_info.api_url,
        f"{dev_info.api_url}/docs",
        dev_info.outbox_url,
        dev_info.temporal_ui_url,
    ]

    assert [address for address in addresses if f" {address}\n" not in installation.output] == []
    answers = [http_requests.get(address, follow_redirects=True) for address in addresses]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 200]


def test_the_person_who_is_named_signs_in_to_the_app(installation: Installation) -> None:
    dev_info = installation.dev_info
    assert f"give {dev_info.user_email} as" in " ".join(installation.output.split())

    with http_requests.browser(base_url=dev_info.api_url) as browser:
        browser.post("/app/sign-in", data={"email": dev_info.user_email})
        link = eventually(lambda: sign_in_link(dev_info.outbox_dir), "the mail is there")
        [user] = re.findall('name="user" value="([^"]+)"', browser.get(link).text)
        app = browser.post(link, data={"user": user})

    assert app.url.path == "/app"
    assert "Sign out" in app.text
