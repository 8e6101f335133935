"""Each kind of issue, with its page, place and advice. Specification 2.11, 2.12, 7.3."""

import pytest

from layout.checks.find_issues import shorten
from layout.engine import render
from layout.schema.block_document import BlockDocument
from layout.schema.issues import Issue, IssueKind
from tests.layout.documents import (
    KEYS,
    Written,
    checkbox,
    document,
    field,
    heading,
    paragraph,
    row,
    signature,
    text_field,
)

LONG = "Agreement on the supply of services of every imaginable kind"
TALL = "so long " * 3000


def issues(written: BlockDocument, variables: set[str] | None = None) -> tuple[Issue, ...]:
    return render(written, KEYS, variables=variables).issues


def found(written: BlockDocument, variables: set[str] | None = None) -> list[tuple[IssueKind, int, str]]:
    return [(issue.kind, issue.page, issue.path) for issue in issues(written, variables)]


def fields(*members: Written) -> Written:
    """A row of inputs with labels of their own."""
    return row(*({**text_field(f"Label {at}"), **one} for at, one in enumerate(members)))


def group(type_: str, *options: str) -> Written:
    return field(type_, "Group", options=list(options))


TEXT = paragraph("Text")
FOUND: dict[str, tuple[BlockDocument, list[tuple[IssueKind, int, str]]]] = {
    "a title with a line break": (document(TEXT, title="One\nTwo"), [(IssueKind.TITLE_TOO_LONG, 1, "/title")]),
    "a long title of a page break": (
        document(TEXT, {"type": "pageBreak", "header": {"title": LONG}}, TEXT),
        [(IssueKind.TITLE_TOO_LONG, 2, "/blocks/1/header/title")],
    ),
    "a long subtitle": (document(TEXT, subtitle="between the one and the other " * 6), []),
    "two fields of one label": (
        document(text_field("VAT number"), checkbox("VAT number")),
        [(IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/1/label")],
    ),
    "a name that is the slug of a label": (
        document(text_field("Firm", name="vat-number"), text_field("VAT number")),
        [(IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/1/label")],
    ),
    "three fields of one label": (
        document(*[text_field("Company")] * 3),
        [(IssueKind.DUPLICATE_FIELD_NAME, 1, f"/blocks/{at}/label") for at in (1, 2)],
    ),
    "one name for two recipients": (
        document(text_field("Company"), text_field("Company", recipient="consultant")),
        [(IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/1/label")],
    ),
    "one name in rows and blocks": (
        document(text_field("Firm", name="x"), fields({"name": "x"}, {}), fields({"label": "Label 1"}, {"name": "x"})),
        [
            (IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/1/fields/0/name"),
            (IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/2/fields/0/label"),
            (IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/2/fields/1/name"),
        ],
    ),
    "names that differ by case": (document(text_field("One", name="x"), text_field("Two", name="X")), []),
    "unknown recipients in a row": (
        document(TEXT, fields({"recipient": "nobody"}, {}, {"recipient": "no one"})),
        [(IssueKind.UNKNOWN_RECIPIENT, 1, f"/blocks/1/fields/{at}/recipient") for at in (0, 2)],
    ),
    "a key in other letters": (
        document(text_field("Company", recipient="Client")),
        [(IssueKind.UNKNOWN_RECIPIENT, 1, "/blocks/0/recipient")],
    ),
    "a heading that fits on no page": (
        document(TEXT, heading("\n" * 498 + "xx")),
        [(IssueKind.OUT_OF_BOUNDS, 2, "/blocks/1/text")],
    ),
    "an input that fits on no page": (
        document(text_field("so long " * 2000, name="long")),
        [(IssueKind.ZONE_OUT_OF_BOUNDS, 1, "/blocks/0/label")],
    ),
    "a placeholder takes no space": (document(text_field("Company", placeholder=TALL)), []),
    "twenty options of one line": (document(group("checkbox", *map(str, range(20)))), []),
    "twenty options of three lines": (
        document(group("checkbox", *(f"{at}\nx\nx" for at in range(20)))),
        [(IssueKind.ZONE_OUT_OF_BOUNDS, 1, "/blocks/0/options/10")],
    ),
    "two braces are no token": (document(paragraph("{{x}} and {x}")), []),
    "a title that a template filled": (
        document(TEXT, title="Harbour & Finch A/S, Nordnes 4, 5005 Bergen, and us"),
        [(IssueKind.TITLE_TOO_LONG, 1, "/title")],
    ),
    "all at once, in the order of the document": (
        document(
            fields({"recipient": "nobody"}, {"name": "x"}),
            paragraph("word " * 1500 + "{{{z}}}"),
            text_field("{{{y}}}", name="x"),
            group("checkbox", TALL),
            title=LONG,
        ),
        [
            (IssueKind.TITLE_TOO_LONG, 1, "/title"),
            (IssueKind.UNKNOWN_RECIPIENT, 1, "/blocks/0/fields/0/recipient"),
            (IssueKind.TOKENS_IN_SESSION, 1, "/blocks/1/text"),
            (IssueKind.TOKENS_IN_SESSION, 3, "/blocks/2/label"),
            (IssueKind.DUPLICATE_FIELD_NAME, 3, "/blocks/2/name"),
            (IssueKind.ZONE_OUT_OF_BOUNDS, 4, "/blocks/3/options/0"),
        ],
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_the_issues_of_a_document(name: str) -> None:
    written, expected = FOUND[name]
    assert found(written) == expected
    assert all(issue.message.endswith(".") for issue in issues(written))


def test_a_document_without_mistakes_has_a_pdf_and_one_with_an_issue_has_none() -> None:
    rendered = render(document(TEXT, text_field("Company"), signature()), KEYS)
    assert rendered.issues == ()
    assert rendered.pdf is not None
    refused = render(document(paragraph("Dear {{{name}}}")), KEYS)
    assert (refused.pdf, refused.page_count) == (None, 1)


ADVICE: dict[str, tuple[BlockDocument, tuple[IssueKind, int, str], str, str]] = {
    "a title that wraps": (
        document(TEXT, title=LONG), (IssueKind.TITLE_TOO_LONG, 1, "/title"), LONG, "Shorten it"
    ),
    "two fields of one name": (
        document(text_field("Company", name="x"), text_field("Firm", name="x")),
        (IssueKind.DUPLICATE_FIELD_NAME, 1, "/blocks/1/name"), "x", "/blocks/0",
    ),
    **{
        f"{one['type']} of nobody": (
            document(TEXT, {**one, "recipient": "nobody"}),
            (IssueKind.UNKNOWN_RECIPIENT, 1, "/blocks/1/recipient"), "nobody", "No recipient has the key",
        )
        for one in (text_field("Company"), checkbox("Agreed"), signature())
    },
    **{
        f"tall {type_} options": (
            document(TEXT, group(type_, "Yes", TALL)),
            (IssueKind.ZONE_OUT_OF_BOUNDS, 2, "/blocks/1/options/1"), "so long so long", "Shorten its texts",
        )
        for type_ in ("checkbox", "radio")
    },
    "a tall row": (
        document(fields({}, {"label": TALL, "name": "tall"})),
        (IssueKind.ZONE_OUT_OF_BOUNDS, 1, "/blocks/0/fields/1/label"), "so long", "below one another",
    ),
    "a tall signature block": (
        document(signature("x\n" * 49 + "xx")),
        (IssueKind.ZONE_OUT_OF_BOUNDS, 1, "/blocks/0/label"), "x x", "Shorten the label",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ADVICE)
def test_an_issue_has_its_text_and_says_what_to_do(name: str) -> None:
    written, place, snippet, advice = ADVICE[name]
    (issue,) = issues(written)
    assert (issue.kind, issue.page, issue.path) == place
    assert issue.snippet.startswith(snippet)
    assert advice in issue.message


def test_labels_without_letters_or_digits_still_name_their_fields() -> None:
    zones = render(document(text_field("…"), text_field("—")), KEYS).zones
    assert len({zone.name for zone in zones}) == 2


@pytest.mark.parametrize(
    ("block", "path"),
    [
        (heading("{{{y}}}"), "/text"),
        (paragraph("for {{{ y }}}"), "/text"),
        (text_field("{{{y}}}", name="x"), "/label"),
        (text_field("Company", placeholder="{{{y}}}"), "/placeholder"),
        (signature("{{{y}}}"), "/label"),
        ({"type": "bulletList", "items": ["x", "{{{y}}}"]}, "/items/1"),
        (fields({}, {"label": "{{{y}}}", "name": "y"}), "/fields/1/label"),
        (fields({"placeholder": "{{{y}}}"}, {}), "/fields/0/placeholder"),
        (group("radio", "x", "{{{y}}}"), "/options/1"),
        ({"type": "pageBreak", "header": {"title": "{{{y}}}"}}, "/header/title"),
        ({"type": "pageBreak", "header": {"title": "x", "subtitle": "{{{y}}}"}}, "/header/subtitle"),
    ],
)
def test_a_token_is_found_in_every_text_of_a_block(block: Written, path: str) -> None:
    written = document(block)
    assert found(written) == [(IssueKind.TOKENS_IN_SESSION, 1, f"/blocks/0{path}")]
    assert found(written, {"y"}) == []
    assert found(written, {"z"}) == [(IssueKind.UNDECLARED_VARIABLE, 1, f"/blocks/0{path}")]


@pytest.mark.parametrize("member", ["title", "subtitle", "footerLabel"])
def test_a_token_in_band_or_footer_is_an_issue(member: str) -> None:
    assert found(document(TEXT, **{member: "{{{x}}}"})) == [(IssueKind.TOKENS_IN_SESSION, 1, f"/{member}")]


def test_each_token_of_a_text_is_named_once() -> None:
    written = document(paragraph("{{{a}}} and {{{b}}} and {{{a}}}"))
    assert [issue.snippet for issue in issues(written)] == [
        "{{{a}}} and {{{b}}} and {{{",
        "{{{a}}} and {{{b}}} and {{{a}}}",
    ]
    assert [issue.message for issue in issues(written, {"a"})] == [
        "No variable “b” is declared. Declare it in the request's variables, or take the token out."
    ]


def test_a_title_with_a_variable_is_measured_when_it_has_its_value() -> None:
    title = "{{{the_full_name_of_the_client}}} and us"
    assert found(document(TEXT, title=title), {"the_full_name_of_the_client"}) == []


def test_an_issue_names_the_page_of_its_block() -> None:
    long = paragraph("word " * 1500)
    (issue,) = issues(document(long, long, signature(recipient="nobody")))
    rendered = render(document(long, long, signature()), KEYS)
    assert {zone.page for zone in rendered.zones} == {issue.page} == {rendered.page_count}
    assert issue.page > 2


def test_snippets_are_short_on_one_line_and_cut_between_grapheme_clusters() -> None:
    (issue,) = issues(document(paragraph("word \n" * 300 + "{{{x}}}")))
    assert len(issue.snippet) <= 80
    assert "\n" not in issue.snippet
    assert shorten("👨‍👩‍👧" * 40) == "👨‍👩‍👧" * 15 + "…"  # five code points each, 79 at most
