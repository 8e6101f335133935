"""A receiver is paused when it has failed for days, each failure within days of the one before."""

from datetime import UTC, datetime, timedelta

from domain.callbacks.delivery_schedule import FAILURE_GAP, PAUSE_AFTER, ReceiverFailures

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_a_receiver_is_paused_once_it_has_failed_for_days() -> None:
    failures = ReceiverFailures(NOON, NOON)

    failures = failures.with_failure(NOON + PAUSE_AFTER - SECOND)
    assert failures == (NOON, NOON + PAUSE_AFTER - SECOND, None)
    failures = failures.with_failure(NOON + PAUSE_AFTER)
    assert failures.paused_since == NOON + PAUSE_AFTER
    assert failures.with_failure(NOON + 2 * PAUSE_AFTER) == failures


def test_failures_that_are_far_apart_are_not_one_outage() -> None:
    later = NOON + FAILURE_GAP + SECOND

    assert ReceiverFailures(NOON, NOON).with_failure(later) == (later, later, None)


def test_a_failure_that_is_recorded_late_does_not_move_the_last_one_back() -> None:
    late = ReceiverFailures(NOON, NOON + SECOND).with_failure(NOON)

    assert late == (NOON, NOON + SECOND, None)
