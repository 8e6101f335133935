"""Documents on the signing page, as the page has them in the end."""

from domain.session.consent_texts import CONSENT_VERSION
from domain.session.session import Session
from tests.builders import recipient
from tests.web.desk import ADDRESS, AGREEMENT, CENTRE, SCHEDULE, Block, Desk, Visitor, field, filled_in
from tests.web.html import Page
from web.signing.session_documents import read_submissions


async def page_of(desk: Desk, *blocks: Block) -> Page:
    return await (await desk.come_in(await desk.send(blocks))).look()


async def test_headings_paragraphs_lists_gaps_and_page_breaks_are_html(desk: Desk) -> None:
    page = await page_of(
        desk,
        {"type": "heading", "text": "1. Services"},
        {"type": "paragraph", "text": "first\nsecond\nthird"},
        {"type": "paragraph", "text": "x", "bold": True, "muted": True, "align": "right", "fontSize": 8.4},
        {"type": "bulletList", "items": ["Milk", "Knives\nand cash"]},
        *({"type": "spacer", "height": height} for height in (1, 8, 9, 64, 600)),
        {"type": "pageBreak"},
        {"type": "pageBreak", "header": {"title": "Annex A", "subtitle": "Rates"}},
    )

    levels = [tag for tag, _ in page.tags if tag in {"h1", "h2", "h3"}]
    assert levels == ["h1", "h2", "h3", "h3", "h2", "h2"]  # session, document, heading, new title, pages, signature
    for words in ("firstsecondthird", "Knivesand cash", "Annex A", "Rates"):
        assert words in page.words
    assert len(page.all("br")) == 3
    assert {"class": "bold muted align-right size-8", "dir": "auto"} in page.all("p")
    assert {"class": "bullets", "dir": "ltr"} in page.all("ul")
    assert len([tag for tag, _ in page.tags if tag == "li"]) == 2
    gaps = [str(div["class"]) for div in page.all("div") if str(div.get("class")).startswith("gap ")]
    assert gaps == ["gap gap-1", "gap gap-1", "gap gap-2", "gap gap-4", "gap gap-6"]
    assert len(page.all("hr")) == 2


async def test_runs_are_html_and_nothing_in_them_is_markup(desk: Desk) -> None:
    link = "https://example.com/a?b=1&c='x'"
    text = [
        {"text": "<b>plain</b> & "},
        {"text": "bold\nnext", "bold": True, "underline": True},
        {"text": "slanted", "italic": True, "bold": True},
        {"text": "terms", "link": link},
    ]
    page = await page_of(
        desk,
        {"type": "heading", "text": text},
        {"type": "paragraph", "text": text},
        {"type": "bulletList", "items": [text]},
    )

    assert page.words.count("<b>plain</b> & bold") == 3
    assert "plain" not in [tag for tag, _ in page.tags]
    assert [sum(tag == one for tag, _ in page.tags) for one in ("strong", "em", "u", "b")] == [6, 3, 3, 0]
    assert [a["rel"] for a in page.all("a") if a["href"] == link] == ["noopener noreferrer"] * 3


async def test_clauses_have_numbers_references_are_links_and_numbered_lists_are_ordered(desk: Desk) -> None:
    page = await page_of(
        desk,
        {"type": "heading", "text": "Rent", "number": True, "id": "rent"},
        {"type": "paragraph", "text": "Due at once.", "number": True, "level": 2, "id": "due"},
        {"type": "paragraph", "text": [{"text": "See "}, {"ref": "due"}, {"ref": "rent"}], "number": True, "level": 4},
        {"type": "bulletList", "style": "number", "items": ["x", [{"ref": "due"}]]},
        {"type": "bulletList", "style": "letter", "items": ["x"]},
    )

    assert "1. Rent" in page.words
    assert "1.1 Due at once." in page.words
    assert "(a) See 1.11" in page.words
    targets = [str(a["href"]).removeprefix("#") for a in page.all("a") if str(a["href"]).startswith("#heading-")]
    assert len(targets) == 3
    assert set(targets) <= set(page.ids())
    assert {"class": "bullets numbers", "dir": "ltr"} in page.all("ol")
    assert {"class": "bullets numbers", "type": "a", "dir": "ltr"} in page.all("ol")


async def test_inputs_of_a_row_stand_together_each_in_its_own_right(desk: Desk) -> None:
    row = [{key: value for key, value in block.items() if key != "type"} for block in (ADDRESS, SCHEDULE, CENTRE)]

    page = await page_of(desk, {"type": "fieldRow", "fields": row})

    assert [div for div in page.all("div") if div.get("class") == "row"]
    assert [i["id"] for i in page.all("input") if str(i.get("id")).startswith("field-")] == ["field-1", "field-2"]
    assert "To be filled in by Grace" in page.words


async def test_inputs_of_the_same_name_in_two_documents_are_two_inputs_with_labels_of_their_own(desk: Desk) -> None:
    session = await desk.send(AGREEMENT, AGREEMENT)

    page = await (await desk.come_in(session)).look()

    seen = [i for i in page.all("input") if i["type"] in {"text", "checkbox", "file"}]
    labelled = [label["for"] for label in page.all("label") if label.get("for")]
    assert len(seen) == 7
    assert sorted(str(i["id"]) for i in seen) == sorted(str(name) for name in labelled)
    assert len(page.ids()) == len(set(page.ids()))
    assert {field(session, "address", 1), field(session, "address", 2)} <= set(page.names())


async def test_inputs_of_others_are_text_that_names_their_recipient(desk: Desk) -> None:
    page = await page_of(desk, CENTRE)

    assert page.names() == [
        "csrf", "timeZone", *3 * ["signatureKind"], "signatureText", *3 * ["signatureStyle"], "signatureUpload",
        "signatureDrawing", "consent",
    ]  # fmt: skip
    assert "To be filled in by Grace" in page.words


async def test_a_later_signer_sees_earlier_values(desk: Desk, session: Session, ada: Visitor) -> None:
    await ada.post(filled_in(session))

    page = await (await desk.come_in(session, "grace")).look()

    for words in ("12 Harbour Street", "Yes", "Filled in by Ada"):
        assert words in page.words
    (picture,) = [image for image in page.all("img") if image["alt"] == "Signed by Ada"]
    submitted = await read_submissions(desk.objects, desk.session(session))
    assert picture["src"] == f"data:image/png;base64,{submitted['ada'].signature.png_base64}"
    assert field(session, "centre") in page.names()


async def test_an_input_that_was_left_empty_says_so(desk: Desk) -> None:
    optional: Block = {**AGREEMENT[1], "required": False}
    session = await desk.send((optional, CENTRE))
    await (await desk.come_in(session)).post({"signatureText": "Ada", "consent": CONSENT_VERSION})
    assert "not filled in" in (await (await desk.come_in(session, "grace")).look()).words


async def test_the_own_signature_block_leads_to_the_signature_at_the_end(desk: Desk) -> None:
    page = await page_of(desk, *AGREEMENT)
    assert "#signature" in page.links()
    assert "signature" in page.ids()
    assert "Grace signs here" in page.words


async def test_whatever_a_document_says_is_text_never_markup(desk: Desk) -> None:
    nasty = "</p></textarea><script>alert(1)</script>\"' onfocus=x {{ 7*7 }} javascript:alert(2)"
    inputs: list[Block] = [
        {**block, "fieldType": kind, "label": nasty, "name": f"{kind}-{block['recipient']}", **hint}
        for kind, hint in (("text", {"placeholder": nasty}), ("checkbox", {}))
        for block in (AGREEMENT[1], CENTRE)
    ]
    blocks: list[Block] = [
        {"type": "heading", "text": nasty},
        {"type": "paragraph", "text": nasty},
        {"type": "pageBreak", "header": {"title": nasty, "subtitle": nasty}},
        *inputs,
        {"type": "signatureBlock", "recipient": "ada", "label": nasty[:100]},
    ]
    people = (recipient("ada", 1, name=nasty), recipient("grace", 1, name=nasty))
    session = await desk.send(blocks, recipients=people)
    ada = await desk.come_in(session)
    plain = await (await desk.come_in(await desk.send(name="Another"))).look()

    page = Page((await ada.post({field(session, "text-ada"): nasty, "signatureText": nasty})).text)

    assert len(page.all("script")) == len(plain.all("script"))
    assert page.input(field(session, "text-ada"))["value"] == nasty
    assert page.input("signatureText")["value"] == nasty
    assert not [a for _, attributes in page.tags for a in attributes if a.startswith("on")]
    assert not [link for link in page.links() if not link.startswith(("#", "/"))]
    assert nasty in page.words
