"""One short document for each kind of block and each type of input."""

from layout.schema.block_document import BlockDocument
from tests.layout.documents import Written, checkbox, document, field, heading, paragraph, row, signature

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


_BLOCKS: dict[str, tuple[Written, ...]] = {
    "heading": (
        heading("1. A heading"),
        heading("A heading below it, of so many words that they take more than one line of the page"),
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
    "clauses": (
        heading("Premises", number=True),
        paragraph(_SENTENCE * 2, number=True, level=2, id="keep"),
        paragraph(_SENTENCE, number=True, level=3),
        paragraph("The first of two.", number=True, level=4, id="first"),
        paragraph([{"text": "As clause "}, {"ref": "keep"}, {"text": " "}, {"ref": "first"}], number=True, level=4),
        heading("Rent, with a heading of so many words that it takes more than one line of the page", number=True),
        paragraph("שוכר הנכס ישמור על הבית", number=True, level=2),
        heading("A heading of level two", number=True, level=2),
        {"type": "bulletList", "style": "number", "items": ["One.", _SENTENCE * 2, *["And another."] * 8]},
        {"type": "bulletList", "style": "letter", "items": ["One.", [{"text": "As in "}, {"ref": "keep"}]]},
        {"type": "bulletList", "style": "number", "items": ["אחת", "שתיים"]},
    ),
    "runs": (
        heading([{"text": "The "}, {"text": "whole", "italic": True}, {"text": " agreement"}]),
        paragraph(
            [
                {"text": "The rent is "},
                {"text": "900 EUR a month", "bold": True},
                {"text": ", paid "},
                {"text": "in advance", "italic": True},
                {"text": ", and "},
                {"text": "never in cash", "bold": True, "italic": True},
                {"text": ". The tenant has read "},
                {"text": "the rules of the harbour", "link": "https://example.com/rules"},
                {"text": " and "},
                {"text": "keeps the boathouse dry, aired and in good repair until it is returned", "underline": True},
                {"text": "."},
            ]
        ),
        paragraph(
            [{"text": "Η "}, {"text": "μίσθωση", "bold": True}, {"text": " и "}, {"text": "аренда", "italic": True}]
        ),
        paragraph(
            [{"text": "דמי השכירות הם "}, {"text": "900 אירו", "bold": True}, {"text": " לחודש", "underline": True}]
        ),
        {"type": "bulletList", "items": ["Plain.", [{"text": "Bold", "bold": True}, {"text": f": {_SENTENCE * 2}"}]]},
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
        signature(),
        signature("For the consultants and all their partners, " * 2, "consultant"),
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
        row(field("text", "Text"), field("multilineText", "Lines"), field("initials", "Initials")),
        row(checkbox("I have read all of it"), field("dropdown", _LONG)),
    ),
    "right-to-left": (
        {
            "type": "bulletList",
            "items": ["يتعهد المستشار بتقديم الخدمات المتفق عليها (انظر الملحق 3) إلى شركة " * 3, "قصير"],
        },
        row(
            field("date", "تاريخ"),
            field("dropdown", "اختيار", options=["نعم", "لا"]),
            field("initials", "الأحرف الأولى"),
        ),
        field("radio", "الحجم", options=["صغير", "متوسط", "كبير جدا"]),
        field("checkbox", "الأيام", options=["الاثنين", "Tuesday", "الأربعاء"]),
        checkbox("أوافق على الشروط", required=True),
        field("radio", "Size", options=["صغير", "Medium", "كبير جدا"]),
    ),
}
KINDS = tuple(_BLOCKS)


def kind(name: str) -> BlockDocument:
    """The document of that kind. Every label stands once in it, so that no name does twice."""
    return document(*_BLOCKS[name], title=name)
