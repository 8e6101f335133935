"""Tokens: what one is, and how values take their places. Specification 2.11."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layout.engine import render
from layout.schema.issues import IssueKind
from layout.schema.placeholders import fill, tokens_in
from tests.layout.documents import KEYS, document, paragraph, text_field

BRACES = st.text(st.sampled_from('{}a \n"\\'), max_size=40)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("none", []),
        ("{{{a}}} and {{{b_1}}}", ["a", "b_1"]),
        ("{{{ a }}}{{{\ta\n}}}", ["a", "a"]),
        ("{{{}}}", [""]),
        ("{{{first name}}}", ["first name"]),
        ("{{{{a}}}}", ["a"]),
        ("{{a}} {{{a}} {{a}}} { { {a}}}", []),
        ("{{{a{b}}}}", []),
    ],
)
def test_a_token_is_a_name_in_three_braces(text: str, names: list[str]) -> None:
    assert [token.name for token in tokens_in(text)] == names


def test_each_token_gets_its_value() -> None:
    assert fill("{{{a}}}, {{{ b }}} & {{{a}}}", {"a": "x", "b": "y"}) == "x, y & x"


def test_braces_around_a_token_stay() -> None:
    assert fill("{{{{a}}}}", {"a": "x"}) == "{x}"


@pytest.mark.parametrize("value", ["{{{b}}}", "{{{a}}}", "\\1 \\g<0>", '"}, {"', "<b>", "", "{"])
def test_a_value_is_text(value: str) -> None:
    assert fill("[{{{a}}}]", {"a": value, "b": "no"}) == f"[{value}]"


def test_a_token_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        fill("{{{b}}}", {"a": "x"})


@given(BRACES, BRACES)
def test_what_stands_around_tokens_stays_as_it_is(text: str, value: str) -> None:
    tokens = tokens_in(text)
    filled = fill(text, {token.name: value for token in tokens})
    ends = [0, *(token.end for token in tokens)]
    starts = [*(token.start for token in tokens), len(text)]
    assert filled == value.join(text[end:start] for end, start in zip(ends, starts, strict=True))


def test_what_looks_like_a_token_is_text_where_tokens_have_been_filled() -> None:
    rendered = render(document(paragraph("Dear {{{name}}}"), title="{{{title}}}"), KEYS, is_filled=True)
    assert rendered.issues == ()
    assert rendered.pdf is not None


def test_a_title_is_measured_where_tokens_have_been_filled() -> None:
    written = document(paragraph("Text"), title="{{{title}}} and so many words that they never fit on one line")
    (issue,) = render(written, KEYS, is_filled=True).issues
    assert issue.kind is IssueKind.TITLE_TOO_LONG


def test_fields_that_variables_will_name_are_not_compared_before_they_do() -> None:
    written = document(text_field("{{{party}}}"), text_field("Party"))
    assert render(written, KEYS, variables={"party"}).issues == ()
    (issue,) = render(written, KEYS, is_filled=True).issues
    assert issue.kind is IssueKind.DUPLICATE_FIELD_NAME
