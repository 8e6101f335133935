"""Pages of a few lines, and the same pages with one visible difference: a digit, a line, a colour, a place."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name

FONTS = ("Helvetica", "Helvetica-Bold", "Times-Roman", "Courier")
WIDTH, HEIGHT = 300, 120

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """How a page is written: a standard font that is not embedded, its size in points, colours, and a place."""

    font: str = "Helvetica"
    size: float = 9
    ink: Colour = (0, 0, 0)
    paper: Colour = (1, 1, 1)
    left: float = 30
    base: float = 55


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a page shows: an amount, a line of text, a thin line, a picture, and what covers them."""

    amount: str = "EUR 48,000 is due"
    line: str = "on the first day of the month"
    rule: float = 0.5
    has_picture: bool = True
    shift: float = 0
    cover: Colour | None = None
    over: str = ""


CHANGES: dict[str, Callable[[Drawing, Look], Drawing]] = {
    "a digit more": lambda page, _: replace(page, amount="EUR 480,000 is due"),
    "digits more": lambda page, _: replace(page, amount="EUR 4,800,000 is due"),
    "a digit less": lambda page, _: replace(page, amount="EUR 8,000 is due"),
    "another digit": lambda page, _: replace(page, amount="EUR 88,000 is due"),
    "another zero": lambda page, _: replace(page, amount="EUR 48,800 is due"),
    "a word less": lambda page, _: replace(page, amount="EUR 48,000"),
    "a line less": lambda page, _: replace(page, line=""),
    "a thin line less": lambda page, _: replace(page, rule=0),
    "a picture less": lambda page, _: replace(page, has_picture=False),
    "a word beside": lambda page, look: replace(page, shift=look.size / 2),
    "a cover in the colour of the paper": lambda page, look: replace(page, cover=look.paper),
    "other text over it": lambda page, _: replace(page, over="4,800,000"),
}


def written(drawing: Drawing, look: Look) -> bytes:
    """Returns a PDF of one page."""
    output = BytesIO()
    with pikepdf.new() as pdf:
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/" + look.font))
        picture = pdf.make_stream(
            bytes(range(0, 256, 4)), Type=Name.XObject, Subtype=Name.Image, Width=8, Height=8, BitsPerComponent=8,
            ColorSpace=Name.DeviceGray,
        )  # fmt: skip
        resources = Dictionary(Font=Dictionary(F=font), XObject=Dictionary(P=picture))
        page = Dictionary(
            Type=Name.Page, MediaBox=Array([0, 0, WIDTH, HEIGHT]), Resources=resources,
            Contents=pdf.make_stream(_content(drawing, look).encode()),
        )  # fmt: skip
        pdf.pages.append(pikepdf.Page(page))
        pdf.save(output)
    return output.getvalue()


def _content(drawing: Drawing, look: Look) -> str:
    ink, paper = (" ".join(f"{part:.3f}" for part in colour) for colour in (look.ink, look.paper))
    left, base, size = look.left, look.base, look.size
    parts = [
        f"{paper} rg 0 0 {WIDTH} {HEIGHT} re f {ink} rg {ink} RG",
        f"BT /F {size:.2f} Tf {left + drawing.shift:.2f} {base:.2f} Td ({drawing.amount}) Tj ET",
        f"BT /F {size:.2f} Tf {left:.2f} {base - 1.5 * size:.2f} Td ({drawing.line}) Tj ET",
    ]
    if drawing.rule:
        parts.append(
            f"{drawing.rule} w {left:.2f} {base + 1.4 * size:.2f} m {left + 100:.2f} {base + 1.4 * size:.2f} l S"
        )
    if drawing.has_picture:
        parts.append(f"q 40 0 0 16 {left:.2f} {base + 1.8 * size:.2f} cm /P Do Q")
    if drawing.cover:
        parts.append(f"{paper} rg {left:.2f} {base - 0.3 * size:.2f} {3 * size:.2f} {1.2 * size:.2f} re f {ink} rg")
    if drawing.over:
        parts.append(f"BT /F {size:.2f} Tf {left:.2f} {base:.2f} Td ({drawing.over}) Tj ET")
    return "\n".join(parts)


def of_two_minds() -> bytes:
    """Returns a PDF of one page with a text that MuPDF draws and PDFium hides: its layer is visible if it is not."""
    output = BytesIO()
    with pikepdf.new() as pdf:
        layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="Layer"))
        members = pdf.make_indirect(Dictionary(Type=Name.OCMD, VE=Array([Name.Not, layer])))
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        resources = Dictionary(Font=Dictionary(F=font), Properties=Dictionary(L=members))
        contents = pdf.make_stream(b"/OC /L BDC BT /F 12 Tf 30 50 Td (EUR 4,800,000) Tj ET EMC")
        page = Dictionary(Type=Name.Page, MediaBox=Array([0, 0, WIDTH, HEIGHT]), Resources=resources, Contents=contents)
        pdf.pages.append(pikepdf.Page(page))
        pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(ON=Array([layer])))
        pdf.save(output)
    return output.getvalue()
