"""When an operation is attempted again."""

from typing import Any

import httpx
import pytest

from undersign.operation import Operation
from undersign.operations import Operations
from undersign.retry import RetryPolicy

READ, KEYED, DELETED = Operations.get_session("x"), Operations.create_session({}), Operations.delete_session("x")
PATIENCE = RetryPolicy(90)


def answer(status: int, body: Any = None, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=body, headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("call", [READ, KEYED, DELETED])
def test_a_busy_service_is_called_again_after_retry_after(call: Operation[Any], status: int) -> None:
    assert PATIENCE.pause(call, 1, 0, answer(status, Retry_After="17")) == 17


def test_a_date_in_retry_after_is_understood() -> None:
    asked = answer(503, Date="Sat, 21 Nov 2026 14:00:00 GMT", Retry_After="Sat, 21 Nov 2026 14:00:25 GMT")
    assert PATIENCE.pause(READ, 1, 0, asked) == 25


@pytest.mark.parametrize("given", ["", "soon", "-3", "Sat, 21 Nov 2020 14:00:00 GMT"])
def test_without_a_time_the_pauses_grow_from_a_quarter_of_a_second_to_eight(given: str) -> None:
    headers = {"Retry_After": given, "Date": "Sat, 21 Nov 2026 14:00:00 GMT"}
    pauses = [PATIENCE.pause(READ, tries, 0, answer(503, **headers)) or 0 for tries in range(1, 12)]

    assert 0.125 <= pauses[0] <= 0.25
    assert 4 <= pauses[-1] <= 8


def test_it_ends_when_the_next_try_would_come_too_late() -> None:
    assert PATIENCE.pause(READ, 3, 60, answer(429, Retry_After="31")) is None
    assert PATIENCE.pause(READ, 3, 60, answer(429, Retry_After="30")) == 30


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 409, 413, 422, 500])
def test_other_responses_are_final(status: int) -> None:
    assert PATIENCE.pause(READ, 1, 0, answer(status, {"error": "CODE"})) is None


def test_an_idempotency_key_in_progress_is_attempted_again() -> None:
    assert PATIENCE.pause(KEYED, 1, 0, answer(409, {"error": "IDEMPOTENCY_IN_PROGRESS"}, Retry_After="2")) == 2


@pytest.mark.parametrize("lost", [httpx.ReadTimeout("x"), httpx.RemoteProtocolError("x"), answer(502), answer(504)])
def test_after_a_lost_response_only_repeatable_operations_are_attempted_again(
    lost: httpx.Response | httpx.HTTPError,
) -> None:
    assert PATIENCE.pause(READ, 1, 0, lost) is not None
    assert PATIENCE.pause(KEYED, 1, 0, lost) is not None
    assert PATIENCE.pause(DELETED, 1, 0, lost) is None


def test_an_operation_that_was_not_sent_is_attempted_again() -> None:
    assert PATIENCE.pause(DELETED, 1, 0, httpx.ConnectError("x")) is not None
