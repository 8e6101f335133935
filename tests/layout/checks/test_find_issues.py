"""Each kind of issue, with its page, place and advice. Specification 2.12, 7.3."""

import pytest

from layout.checks.find_issues import shorten
from layout.engine import render
from layout.schema.block_document import BlockDocument
from layout.schema.issues import Issue, IssueKind
from tests.layout.documents import KEYS, checkbox, document, paragraph, signature, text_field

LONG = "Agreement on the supply of services of every imaginable kind"


def issues(written: BlockDocument) -> tuple[Issue, ...]:
    return render(written, KEYS).issues


def found(written: BlockDocument) -> list[tuple[IssueKind, int, str]]:
    return [(issue.kind, issue.page, issue.path) for issue in issues(written)]


def test_a_document_without_mistakes_has_no_issues_and_a_pdf() -> None:
    rendered = render(document(paragraph("Text"), text_field("Company"), signature()), KEYS)
    assert rendered.issues == ()
    assert rendered.pdf is not None


def test_a_document_with_an_issue_has_no_pdf() -> None:
    rendered = render(document(paragraph("Dear {{{name}}}")), KEYS)
    assert rendered.pdf is None
    assert rendered.page_count == 1


def test_a_title_that_wraps_is_too_long() -> None:
    (issue,) = issues(document(paragraph("Text"), title=LONG))
    assert (issue.kind, issue.page, issue.path) == (IssueKind.TITLE_TOO_LONG, 1, "/title")
    assert issue.snippet == LONG
    assert "Shorten it" in issue.message


def test_a_title_with_a_line_break_is_too_long() -> None:
    assert found(document(paragraph("Text"), title="One\nTwo")) == [(IssueKind.TITLE_TOO_LONG, 1, "/title")]


def test_the_title_of_a_page_break_is_checked_and_its_page_named() -> None:
    break_ = {"type": "pageBreak", "header": {"title": LONG}}
    assert found(document(paragraph("One"), break_, paragraph("Two"))) == [
        (IssueKind.TITLE_TOO_LONG, 2, "/blocks/1/header/title")
    ]


def test_a_subtitle_may_wrap() -> None:
    assert issues(document(paragraph("Text"), subtitle="between the one and the other " * 6)) == ()


@pytest.mark.parametrize("block", [text_field("Company"), checkbox("Agreed"), signature()])
def test_a_recipient_that_is_not_declared_is_unknown(block: dict[str, object]) -> None:
    (issue,) = issues(document(paragraph("Text"), {**block, "recipient": "nobody"}))
    assert (issue.kind, issue.page, issue.path) == (IssueKind.UNKNOWN_RECIPIENT, 1, "/blocks/1/recipient")
    assert issue.snippet == "nobody"


def test_two_fields_of_one_name_are_told_apart() -> None:
    (issue,) = issues(document(text_field("Company", name="x"), text_field("Firm", name="x")))
    assert (issue.kind, issue.path, issue.snippet) == (IssueKind.DUPLICATE_FIELD_NAME, "/blocks/1/name", "x")
    assert "/blocks/0" in issue.message


def test_two_fields_of_one_label_have_one_name() -> None:
    assert found(document(text_field("VAT number"), checkbox("VAT number"))) == [
        (IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/1/label")
    ]


def test_a_name_of_ones_own_may_collide_with_a_slug() -> None:
    assert found(document(text_field("Firm", name="vat-number"), text_field("VAT number"))) == [
        (IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/1/label")
    ]


def test_each_further_field_of_a_name_is_an_issue() -> None:
    assert len(issues(document(*[text_field("Company")] * 3))) == 2


def test_labels_without_letters_or_digits_still_name_their_fields() -> None:
    zones = render(document(text_field("…"), text_field("—")), KEYS).zones
    assert len({zone.name for zone in zones}) == 2


@pytest.mark.parametrize(
    ("block", "path"),
    [
        ({"type": "heading", "text": "{{{x}}}"}, "/blocks/0/text"),
        (paragraph("for {{{ client.name }}}"), "/blocks/0/text"),
        (text_field("{{{x}}}", name="x"), "/blocks/0/label"),
        (text_field("Company", placeholder="{{{x}}}"), "/blocks/0/placeholder"),
        (signature("{{{x}}}"), "/blocks/0/label"),
    ],
)
def test_a_token_in_any_text_of_a_block_is_an_issue(block: dict[str, object], path: str) -> None:
    assert found(document(block)) == [(IssueKind.TOKENS_IN_SESSION, 1, path)]


@pytest.mark.parametrize(("member", "path"), [("title", "/title"), ("subtitle", "/subtitle")])
def test_a_token_in_the_band_is_an_issue(member: str, path: str) -> None:
    assert found(document(paragraph("Text"), **{member: "{{{x}}}"})) == [(IssueKind.TOKENS_IN_SESSION, 1, path)]


def test_a_token_in_the_footer_is_an_issue() -> None:
    assert found(document(paragraph("Text"), footerLabel="{{{x}}}")) == [
        (IssueKind.TOKENS_IN_SESSION, 1, "/footerLabel")
    ]


def test_two_braces_are_no_token() -> None:
    assert issues(document(paragraph("{{x}} and {x}"))) == ()


def test_a_heading_that_fits_on_no_page_is_out_of_bounds() -> None:
    assert found(document(paragraph("Text"), {"type": "heading", "text": "\n" * 498 + "xx"})) == [
        (IssueKind.OUT_OF_BOUNDS, 2, "/blocks/1/text")
    ]


def test_an_input_that_fits_on_no_page_is_a_zone_out_of_bounds() -> None:
    assert found(document(text_field("so long " * 2000, name="long"))) == [
        (IssueKind.ZONE_OUT_OF_BOUNDS, 1, "/blocks/0/label")
    ]


def test_an_issue_names_the_page_on_which_its_block_lands() -> None:
    long = paragraph("word " * 1500)
    (issue,) = issues(document(long, long, signature(recipient="nobody")))
    rendered = render(document(long, long, signature()), KEYS)
    assert {zone.page for zone in rendered.zones} == {issue.page} == {rendered.page_count}
    assert issue.page > 2


def test_five_mistakes_are_five_issues_at_once() -> None:
    written = document(
        paragraph("Dear {{{name}}}"),
        text_field("Company"),
        text_field("Company"),
        {"type": "heading", "text": "\n" * 499 + "x"},
        signature(recipient="nobody"),
        title=LONG,
    )
    assert [issue.kind for issue in issues(written)] == [
        IssueKind.TITLE_TOO_LONG,
        IssueKind.TOKENS_IN_SESSION,
        IssueKind.DUPLICATE_FIELD_NAME,
        IssueKind.OUT_OF_BOUNDS,
        IssueKind.UNKNOWN_RECIPIENT,
    ]


def test_snippets_are_short_and_on_one_line() -> None:
    (issue,) = issues(document(paragraph("word \n" * 300 + "{{{x}}}")))
    assert len(issue.snippet) <= 80
    assert "\n" not in issue.snippet


def test_messages_end_as_sentences() -> None:
    written = document(
        paragraph("{{{x}}}"), text_field("a"), text_field("a"), signature(recipient="nobody"), title=LONG
    )
    assert all(issue.message.endswith(".") for issue in issues(written))


def test_a_snippet_is_cut_between_characters_as_readers_see_them() -> None:
    assert shorten("👨‍👩‍👧" * 40) == "👨‍👩‍👧" * 15 + "…"  # five code points each, 79 at most
