"""Sends a signed test to a receiver of callbacks, at once and without a log."""

import json
from datetime import UTC, datetime
from uuid import uuid4

from application.services import Services
from domain.callbacks.callback_signature import signed_headers
from domain.callbacks.delivery_schedule import Attempt
from domain.shared.ids import EventId, OrganisationId
from domain.shared.times import rfc3339, to_milliseconds

TEST_TYPE = "webhook.test"
"""The type of tests, which no event has."""


async def send_test_callback(services: Services, organisation_id: OrganisationId, url: str) -> Attempt:
    """Posts a test to `url`, signed as a callback of the organisation, and returns the attempt with its response."""
    at, event_id = to_milliseconds(datetime.now(UTC)), EventId(str(uuid4()))
    body = json.dumps({"type": TEST_TYPE, "timestamp": rfc3339(at), "data": {}}, separators=(",", ":"))
    secrets = await services.webhook_secrets.signing(organisation_id, at)
    return await services.callback_sender.send(url, signed_headers(event_id, at, body, secrets), body.encode())
