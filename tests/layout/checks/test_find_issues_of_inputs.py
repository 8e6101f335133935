"""Issues of rows, options and templates: kind, page, place and advice. Specification 2.11, 2.12, 7.3."""

import pytest

from layout.engine import render
from layout.schema.block_document import BlockDocument
from layout.schema.issues import Issue, IssueKind, WarningKind
from tests.layout.documents import KEYS, document, paragraph, signature, text_field

Written = dict[str, object]
TALL = "so long " * 3000
NO_BAND: Written = {"fieldType": "text", "label": "Bare", "recipient": "client"}


def issues(written: BlockDocument, variables: set[str] | None = None) -> tuple[Issue, ...]:
    return render(written, KEYS, variables=variables).issues


def found(written: BlockDocument, variables: set[str] | None = None) -> list[tuple[IssueKind, int, str]]:
    return [(issue.kind, issue.page, issue.path) for issue in issues(written, variables)]


def row(*fields: Written) -> Written:
    return {
        "type": "fieldRow",
        "fields": [{**NO_BAND, "label": f"Label {at}", **field} for at, field in enumerate(fields)],
    }


def group(type_: str, *options: str) -> Written:
    return {"type": "field", "fieldType": type_, "label": "Group", "recipient": "client", "options": list(options)}


def test_the_recipient_of_each_field_of_a_row_is_looked_up() -> None:
    assert found(document(paragraph("Text"), row({"recipient": "nobody"}, {}, {"recipient": "no one"}))) == [
        (IssueKind.UNKNOWN_RECIPIENT, 1, "/blocks/1/fields/0/recipient"),
        (IssueKind.UNKNOWN_RECIPIENT, 1, "/blocks/1/fields/2/recipient"),
    ]


def test_a_key_is_compared_letter_by_letter() -> None:
    assert found(document(text_field("Company", recipient="Client"))) == [
        (IssueKind.UNKNOWN_RECIPIENT, 1, "/blocks/0/recipient")
    ]


def test_names_are_unique_across_rows_and_blocks() -> None:
    written = document(text_field("Firm", name="x"), row({"name": "x"}, {}), row({"label": "Label 1"}, {"name": "x"}))
    assert found(written) == [
        (IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/1/fields/0/name"),
        (IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/2/fields/0/label"),
        (IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/2/fields/1/name"),
    ]


def test_names_may_be_used_again_by_another_recipient_only_under_another_name() -> None:
    written = document(text_field("Company"), text_field("Company", recipient="consultant"))
    assert found(written) == [(IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/1/label")]


def test_names_differ_by_case() -> None:
    assert issues(document(text_field("One", name="x"), text_field("Two", name="X"))) == ()


@pytest.mark.parametrize("type_", ["checkbox", "radio"])
def test_a_group_of_options_taller_than_a_page_is_a_zone_out_of_bounds(type_: str) -> None:
    (issue,) = issues(document(paragraph("Text"), group(type_, "Yes", TALL)))
    assert (issue.kind, issue.page, issue.path) == (IssueKind.ZONE_OUT_OF_BOUNDS, 2, "/blocks/1/options/1")
    assert issue.snippet.startswith("so long so long")
    assert "Shorten its texts" in issue.message


def test_a_group_of_twenty_options_fits_on_a_page_and_of_taller_ones_does_not() -> None:
    def options(lines: int) -> list[str]:
        return [f"{at}" + "\nx" * (lines - 1) for at in range(20)]

    assert issues(document(group("checkbox", *options(1)))) == ()
    assert [issue.kind for issue in issues(document(group("checkbox", *options(3))))] == [IssueKind.ZONE_OUT_OF_BOUNDS]


def test_a_row_taller_than_a_page_is_a_zone_out_of_bounds() -> None:
    (issue,) = issues(document(row({}, {"label": TALL, "name": "tall"})))
    assert (issue.kind, issue.page, issue.path) == (IssueKind.ZONE_OUT_OF_BOUNDS, 1, "/blocks/0/fields/1/label")
    assert "below one another" in issue.message


def test_a_signature_block_taller_than_a_page_is_a_zone_out_of_bounds() -> None:
    (issue,) = issues(document(signature("x\n" * 49 + "xx")))
    assert (issue.kind, issue.path) == (IssueKind.ZONE_OUT_OF_BOUNDS, "/blocks/0/label")
    assert "Shorten the label" in issue.message


def test_a_placeholder_takes_no_room() -> None:
    assert issues(document(text_field("Company", placeholder=TALL))) == ()


@pytest.mark.parametrize(
    ("block", "path"),
    [
        ({"type": "bulletList", "items": ["x", "{{{y}}}"]}, "/blocks/0/items/1"),
        (row({}, {"label": "{{{y}}}", "name": "y"}), "/blocks/0/fields/1/label"),
        (row({"placeholder": "{{{y}}}"}, {}), "/blocks/0/fields/0/placeholder"),
        (group("radio", "x", "{{{y}}}"), "/blocks/0/options/1"),
        ({"type": "pageBreak", "header": {"title": "{{{y}}}"}}, "/blocks/0/header/title"),
        ({"type": "pageBreak", "header": {"title": "x", "subtitle": "{{{y}}}"}}, "/blocks/0/header/subtitle"),
    ],
)
def test_a_token_is_found_in_every_text(block: Written, path: str) -> None:
    written = document(block)
    assert found(written) == [(IssueKind.TOKENS_IN_SESSION, 1, path)]
    assert found(written, {"y"}) == []
    assert found(written, {"z"}) == [(IssueKind.UNDECLARED_VARIABLE, 1, path)]


def test_each_token_of_a_text_is_named_once() -> None:
    written = document(paragraph("{{{a}}} and {{{b}}} and {{{a}}}"))
    assert [issue.snippet for issue in issues(written)] == [
        "{{{a}}} and {{{b}}} and {{{",
        "{{{a}}} and {{{b}}} and {{{a}}}",
    ]
    assert [issue.message for issue in issues(written, {"a"})] == [
        "No variable “b” is declared. Declare it in the request's variables, or take the token out."
    ]


def test_a_template_declares_its_variables_by_name() -> None:
    assert issues(document(paragraph("for {{{ client_name }}}")), {"client_name"}) == ()


def test_a_title_with_a_variable_is_measured_when_it_has_its_value() -> None:
    title = "{{{the_full_name_of_the_client}}} and us"
    assert found(document(paragraph("Text"), title=title), {"the_full_name_of_the_client"}) == []
    filled = document(paragraph("Text"), title="Harbour & Finch A/S, Nordnes 4, 5005 Bergen, and us")
    assert [issue.kind for issue in issues(filled)] == [IssueKind.TITLE_TOO_LONG]


def test_all_issues_come_at_once_in_the_order_of_the_document() -> None:
    written = document(
        row({"recipient": "nobody"}, {"name": "x"}),
        paragraph("word " * 1500),
        text_field("{{{y}}}", name="x"),
        group("checkbox", TALL),
        title="A title of so many words that they never fit on a line",
    )
    assert found(written) == [
        (IssueKind.TITLE_TOO_LONG, 1, "/title"),
        (IssueKind.UNKNOWN_RECIPIENT, 1, "/blocks/0/fields/0/recipient"),
        (IssueKind.TOKENS_IN_SESSION, 3, "/blocks/2/label"),
        (IssueKind.DUPLICATE_FIELD_NAME, 3, "/blocks/2/name"),
        (IssueKind.ZONE_OUT_OF_BOUNDS, 4, "/blocks/3/options/0"),
    ]


def test_a_second_signature_block_of_a_signer_is_a_warning() -> None:
    rendered = render(document(signature(), signature(recipient="consultant"), signature()), KEYS)
    assert rendered.issues == ()
    assert [(warning.kind, warning.path) for warning in rendered.warnings] == [
        (WarningKind.SECOND_SIGNATURE, "/blocks/2")
    ]
    assert "/blocks/0" in rendered.warnings[0].message


def test_a_recipient_without_a_signature_block_is_a_warning_even_with_a_field() -> None:
    rendered = render(
        document(signature(), {**NO_BAND, "type": "field", "recipient": "consultant"}), ["client", "consultant"]
    )
    assert rendered.issues == ()
    assert [warning.kind for warning in rendered.warnings] == [WarningKind.NO_SIGNATURE_BLOCK]
    assert "“consultant”" in rendered.warnings[0].message
