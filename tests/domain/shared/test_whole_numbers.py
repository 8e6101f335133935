from domain.shared.whole_numbers import read_whole_number


def test_digits_are_read_and_everything_else_is_not() -> None:
    assert [read_whole_number(text) for text in ("0", "007", "123456789012345")] == [0, 7, 123456789012345]
    for text in ("", "-1", "+1", "1.0", " 1", "²", "١", "1_000", "9" * 16, "9" * 5000):
        assert read_whole_number(text) is None
