"""UserForm forms, as the page reads them."""

from web.forms import PostedForm

FORM = PostedForm([("day", "Monday"), ("name", "Ada"), ("day", "Friday"), ("empty", "")])


def test_of_several_inputs_of_one_name_the_last_counts_unless_all_are_asked_for() -> None:
    assert FORM["day"] == "Friday"
    assert FORM.all("day") == ("Monday", "Friday")


def test_an_input_that_was_not_posted_has_no_value() -> None:
    assert FORM.all("other") == ()
    assert FORM.get("other") is None
    assert FORM.get("empty") == ""


def test_a_form_names_each_input_once() -> None:
    assert list(FORM) == ["day", "name", "empty"]
    assert len(FORM) == 3
