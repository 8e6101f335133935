"""Filters of lists: what is given in Python's words arrives in the description's."""

from datetime import UTC, datetime, timedelta, timezone
from typing import get_type_hints

import pytest

from tests.api.service import Service
from undersign import operations
from undersign.filters import SessionFilters, TemplateFilters, query_of


@pytest.mark.parametrize(
    ("filters", "path"), [(SessionFilters, "/api/v1/Sessions"), (TemplateFilters, "/api/v1/Templates")]
)
async def test_every_filter_of_the_description_can_be_given(service: Service, filters: type, path: str) -> None:
    described = {parameter["name"] for parameter in service.app.openapi()["paths"][path]["get"]["parameters"]}

    assert query_of(dict.fromkeys(get_type_hints(filters), "x"), 1, 0).keys() == described


def test_metadata_is_a_parameter_for_each_key() -> None:
    call = operations.list_sessions(external_id="order-7", metadata={"customer": "Northwind", "a b": ""})

    assert call.query == {
        "externalId": "order-7", "metadata[customer]": "Northwind", "metadata[a b]": "", "limit": "50", "offset": "0",
    }  # fmt: skip


def test_times_and_several_statuses_are_written_as_the_service_reads_them() -> None:
    noon = datetime(2026, 6, 12, 12, 30, tzinfo=timezone(timedelta(hours=2)))

    call = operations.list_sessions(status=["draft", "pending"], created_after=noon, recipient_email="a@example.com")

    assert call.query == {
        "status": "draft,pending", "createdAfter": "2026-06-12T10:30:00.000Z", "recipientEmail": "a@example.com",
        "limit": "50", "offset": "0",
    }  # fmt: skip


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        operations.list_sessions(updated_before=datetime(2026, 6, 12, tzinfo=UTC).replace(tzinfo=None))
