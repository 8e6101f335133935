"""One short document for each kind of block and each type of input."""

from PIL import Image

from layout.engine import render
from layout.schema.block_document import BlockDocument
from tests.layout.documents import KEYS, document, paragraph
from tests.layout.goldens import pictures
from tests.layout.image_files import PICTURES

Written = dict[str, object]

_SENTENCE = "The tenant keeps the boathouse dry, aired and in good repair, and returns it as it was found. "
_LONG = (
    "A label that is so long that it takes more than one line above its input, however wide the page may be, and wraps"
)
_ANSWERS = ["Yes", "No", "Only on weekdays, and not before eight in the morning", "Perhaps", "Nobody has told us yet"]
_LONG_ANSWER = (
    "An answer that is longer than the line is, and goes on beside its box as if it had all the time that there is"
)


def _inputs(type_: str, **members: object) -> tuple[Written, ...]:
    """Alone, with a long label and not required, and in rows of two and of three."""
    bare: Written = {"fieldType": type_, "recipient": "client", **members}
    alone = {"type": "field", **bare, "label": "Label"}
    optional = {"type": "field", **bare, "label": _LONG, "required": False}
    rows = [[{**bare, "label": f"Column {column} of {of}"} for column in range(1, of + 1)] for of in (2, 3)]
    return (alone, optional, *({"type": "fieldRow", "fields": row} for row in rows))


def _group(type_: str, label: str, *options: str) -> Written:
    return {"type": "field", "fieldType": type_, "label": label, "recipient": "client", "options": list(options)}


_BLOCKS: dict[str, tuple[Written, ...]] = {
    "heading": (
        {"type": "heading", "text": "1. A heading"},
        {
            "type": "heading",
            "text": "A heading below it, of so many words that they take more than one line of the page",
        },
        paragraph("Text."),
    ),
    "paragraph": (
        paragraph(_SENTENCE * 2 + "\nAfter a line break."),
        paragraph(_SENTENCE, bold=True),
        paragraph(_SENTENCE, muted=True, fontSize=8),
        paragraph("In the middle.", align="center", fontSize=16),
        paragraph("At the right.", align="right"),
        paragraph("Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 3),
    ),
    "bulletList": (
        paragraph("Three things:"),
        {"type": "bulletList", "items": ["Short.", _SENTENCE * 2, "With a line break:\nafter it."]},
        paragraph("Text."),
    ),
    "spacer": (paragraph("Above."), {"type": "spacer", "height": 60}, paragraph("Below.")),
    "pageBreak": (
        paragraph("One."),
        {"type": "pageBreak"},
        paragraph("Two, with the header of the document."),
        {"type": "pageBreak", "header": None},
        paragraph("Three, with none."),
        {"type": "pageBreak", "header": {"title": "Schedule 1", "subtitle": "with a header of its own"}},
        paragraph("Four."),
    ),
    "image": tuple(
        {"type": "image", "fileId": "large", "width": width, "align": align}
        for width, align in ((60, "left"), (90, "center"), (120, "right"))
    ),
    "signatureBlock": (
        {"type": "signatureBlock", "label": "Client", "recipient": "client"},
        {
            "type": "signatureBlock",
            "label": "For the consultants and all their partners, " * 2,
            "recipient": "consultant",
        },
    ),
    "text": _inputs("text"),
    "multilineText": _inputs("multilineText"),
    "date": _inputs("date", dateFormat="YYYY-MM-DD"),
    "number": _inputs("number"),
    "email": _inputs("email"),
    "auMobile": _inputs("auMobile"),
    "checkbox": _inputs("checkbox"),
    "checkbox-group": _inputs("checkbox", options=["Yes", "No", _LONG_ANSWER]),
    "radio": _inputs("radio", options=[*_ANSWERS, _LONG_ANSWER]),
    "dropdown": _inputs("dropdown", options=["Yes", "No"]),
    "initials": _inputs("initials"),
    "fieldRow": (
        {
            "type": "fieldRow",
            "fields": [
                {"fieldType": "text", "label": "Text", "recipient": "client"},
                {"fieldType": "multilineText", "label": "Lines", "recipient": "client"},
                {"fieldType": "initials", "label": "Initials", "recipient": "client"},
            ],
        },
        {
            "type": "fieldRow",
            "fields": [
                {"fieldType": "checkbox", "label": "I have read all of it", "recipient": "client"},
                {"fieldType": "dropdown", "label": _LONG, "options": ["Yes", "No"], "recipient": "client"},
            ],
        },
    ),
    "right-to-left": (
        {
            "type": "bulletList",
            "items": ["يتعهد المستشار بتقديم الخدمات المتفق عليها (انظر الملحق 3) إلى شركة " * 3, "قصير"],
        },
        {
            "type": "fieldRow",
            "fields": [
                {"fieldType": "date", "label": "تاريخ", "recipient": "client"},
                {"fieldType": "dropdown", "label": "اختيار", "options": ["نعم", "لا"], "recipient": "client"},
                {"fieldType": "initials", "label": "الأحرف الأولى", "recipient": "client"},
            ],
        },
        _group("radio", "الحجم", "صغير", "متوسط", "كبير جدا"),
        _group("checkbox", "الأيام", "الاثنين", "Tuesday", "الأربعاء"),
        {
            "type": "field",
            "fieldType": "checkbox",
            "label": "أوافق على الشروط",
            "recipient": "client",
            "required": True,
        },
        _group("radio", "Size", "صغير", "Medium", "كبير جدا"),
    ),
}
KINDS = tuple(_BLOCKS)
_BELOW = 20  # pixels


def kind(name: str) -> BlockDocument:
    """The document of that kind. Every label stands once in it, so that no name does twice."""
    return document(*_BLOCKS[name], title=name)


def pictures_of(name: str) -> list[Image.Image]:
    """Its pages as they look, each down to where its blocks end."""
    rendered = render(kind(name), KEYS, PICTURES)
    assert rendered.pdf is not None, rendered.issues
    return [_cropped(page) for page in pictures(rendered.pdf)]


def _cropped(page: Image.Image) -> Image.Image:
    body = page.crop((0, 0, page.width, page.height - 80)).convert("L").point(lambda shade: 255 * (shade < 250))
    box = body.getbbox()
    return page.crop((0, 0, page.width, (box[3] if box else 0) + _BELOW))
