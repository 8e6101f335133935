"""One short lease in each look: both styles of headers, plain and in colours, with logos and pictures."""

from PIL import Image, ImageDraw

from layout.engine import render
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.schema.issues import WarningKind
from tests.layout.documents import KEYS, document, paragraph, signature, text_field
from tests.layout.image_files import encoded

_TEXT = "The tenant keeps the boathouse dry, aired and in good repair, and returns it as it was found. "
_LONG = (
    "Between Harbour & Finch A/S, Nordnes 4, Bergen, and Wiśniewski Analytics sp. z o.o., ul. Długa 7, Gdańsk, "
    "for the boathouse at the old quay with its moorings"
)
_BODY: tuple[dict[str, object], ...] = (
    {"type": "heading", "text": "1. The place"},
    paragraph(_TEXT * 3),
    {"type": "image", "fileId": "photo", "width": 240, "align": "center"},
    paragraph("Seen from the quay.", muted=True, align="center", fontSize=9),
    {"type": "image", "fileId": "mark"},
    {"type": "heading", "text": "2. The tenant"},
    text_field("Company"),
    signature(),
)
_RETITLED: tuple[dict[str, object], ...] = (
    {"type": "pageBreak", "header": {"title": "Schedule 1"}},
    paragraph("Keys."),
    {"type": "pageBreak", "header": None},
    {"type": "image", "fileId": "photo"},
)


def look(name: str) -> BlockDocument:
    """The lease in the look of that name."""
    members, more = _LOOKS[name]
    return document(*_BODY, *more, title="Lease of the boathouse", **members)


_LOOKS: dict[str, tuple[dict[str, object], tuple[dict[str, object], ...]]] = {
    "classic": ({"subtitle": "Harbour & Finch A/S"}, ()),
    "line": (
        {
            "subtitle": _LONG,
            "logo": {"fileId": "wide"},
            "theme": {"primaryColor": "#7a1f3d", "accentColor": "#1b2a49", "textColor": "#33302e"},
        },
        (),
    ),
    "band": ({"subtitle": _LONG, "theme": {"headerStyle": "band"}}, ()),
    "band-in-colours": (
        {
            "logo": {"fileId": "mark", "width": 90},
            "footerLabel": "Lease of the boathouse at the old quay, " * 2,
            "theme": {
                "headerStyle": "band",
                "primaryColor": "#1b2a49",
                "accentColor": "#935a0a",
                "bandTextColor": "#f4efe6",
            },
        },
        _RETITLED,
    ),
}
LOOKS = tuple(_LOOKS)


def images() -> dict[str, ImageFile]:
    """A photograph, a wide logo and a square one, both to be seen through."""
    drawn = {"photo": ("JPEG", _quay()), "wide": ("PNG", _mark(520, 160)), "mark": ("PNG", _mark(64, 64))}
    return {
        name: ImageFile(encoded(picture, kind), picture.width, picture.height, f"{name}.{kind.lower()}")
        for name, (kind, picture) in drawn.items()
    }


def _quay() -> Image.Image:
    """Sun, hills and water, in few colours."""
    picture = Image.new("RGB", (600, 340), "#cfe3ea")
    pen = ImageDraw.Draw(picture)
    pen.ellipse((400, 50, 470, 120), fill="#f6d98a")
    pen.polygon(((0, 230), (170, 90), (330, 230)), fill="#6d8f7a")
    pen.polygon(((220, 230), (430, 130), (600, 230)), fill="#55786a")
    pen.rectangle((0, 230, 600, 340), fill="#3f6f83")
    pen.polygon(((90, 265), (250, 265), (225, 300), (115, 300)), fill="#7a3b2e")
    return picture


def _mark(width: int, height: int) -> Image.Image:
    """A ring, and lines beside it where there is room."""
    picture = Image.new("RGBA", (width, height))
    pen = ImageDraw.Draw(picture)
    pen.ellipse((2, 2, height - 2, height - 2), outline="#c8963e", width=height // 4)
    if width > height:
        pen.rectangle((height + 20, height // 4, width, height // 2), fill="#c8963e")
    return picture


def pdf_of(name: str) -> bytes:
    rendered = render(look(name), KEYS, images())
    assert rendered.issues == ()
    assert {warning.kind for warning in rendered.warnings} <= {WarningKind.NO_SIGNATURE_BLOCK}  # a look needs none
    assert rendered.pdf is not None
    return rendered.pdf
