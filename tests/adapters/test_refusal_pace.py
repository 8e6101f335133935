"""The pace of refusals."""

from adapters.refusal_pace import MAX_DELAY, STEP, RefusalPace


def test_refusals_of_one_caller_are_spaced_and_one_alone_is_not_delayed() -> None:
    pace = RefusalPace()
    assert [round(pace.delay("one", 10), 6) for _ in range(4)] == [0, STEP, 2 * STEP, 3 * STEP]
    assert pace.delay("other", 10) == 0
    assert pace.delay("one", 11) == 0


def test_a_refusal_waits_for_a_limited_time() -> None:
    pace = RefusalPace()
    assert max(pace.delay("one", 10) for _ in range(1_000)) == MAX_DELAY


def test_callers_whose_refusals_are_over_are_forgotten() -> None:
    pace = RefusalPace()
    for number in range(5_000):
        pace.delay(f"caller {number}", number)
    assert len(vars(pace)["_next"]) < 1_100
