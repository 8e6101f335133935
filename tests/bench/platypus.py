"""The same document with ReportLab's Platypus."""

from functools import cache
from html import escape
from io import BytesIO
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    HRFlowable,
    KeepTogether,
    ListFlowable,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

from layout.text.fonts import Face
from tests.bench.documents import Document
from tests.bench.peers import font_path

_INK, _GREY, _TEAL, _LINE = map(HexColor, ("#1f2328", "#667078", "#0f6a73", "#8b959c"))


@cache
def _styles() -> dict[str, Any]:
    pdfmetrics.registerFont(TTFont("F", font_path(Face.REGULAR)))
    pdfmetrics.registerFont(TTFont("FB", font_path(Face.BOLD)))
    body = ParagraphStyle("body", fontName="F", fontSize=10.5, leading=14.9, textColor=_INK, spaceAfter=7.9)
    return {
        "body": body,
        "small": ParagraphStyle("small", body, fontSize=9, leading=12.8, textColor=_GREY),
        "label": ParagraphStyle("label", body, fontSize=9.5, leading=13, spaceAfter=20),
        "heading": ParagraphStyle(
            "heading", body, fontName="FB", fontSize=13, leading=17, spaceBefore=18, spaceAfter=6, keepWithNext=True
        ),
        "signer": ParagraphStyle("signer", body, fontName="FB", spaceAfter=30),
    }


class _Tick(Flowable):  # type: ignore[misc]  # untyped base
    width, height = 19, 14

    def draw(self) -> None:
        self.canv.rect(0, 1, 11, 11)


def make(document: Document) -> bytes:
    styles = _styles()
    written = BytesIO()

    def furniture(canvas: Any, page: Any) -> None:
        canvas.setFont("FB", 22)
        canvas.setFillColor(_TEAL)
        canvas.drawString(56, 842 - 67, str(document["title"]))
        canvas.setFont("F", 10.5)
        canvas.setFillColor(_GREY)
        canvas.drawString(56, 842 - 86, str(document["subtitle"]))
        canvas.line(56, 842 - 99, 539, 842 - 99)
        canvas.setFont("F", 8)
        canvas.drawCentredString(297, 41, f"{document['footerLabel']} — page {page.page}")

    # The footer has no number of pages, which would take two passes.
    pages = BaseDocTemplate(written, pagesize=(595, 842), title=str(document["title"]))
    frame = Frame(56, 76, 483, 645, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)
    pages.addPageTemplates(PageTemplate(frames=[frame], onPage=furniture))
    blocks: Any = document["blocks"]
    pages.build([flowable for block in blocks for flowable in _flowables(block, styles)])
    return written.getvalue()


def _flowables(block: Any, styles: dict[str, Any]) -> list[Any]:
    line = HRFlowable(width="100%", thickness=0.6, color=_LINE)
    match block["type"]:
        case "heading":
            flowable: Any = Paragraph(escape(block["text"]), styles["heading"])
        case "paragraph":
            flowable = Paragraph(escape(block["text"]), styles["small" if "fontSize" in block else "body"])
        case "bulletList":
            items = [Paragraph(escape(item), styles["body"]) for item in block["items"]]
            flowable = ListFlowable(items, bulletType="bullet", leftIndent=14)
        case "spacer":
            flowable = Spacer(1, block["height"])
        case "field" if block["fieldType"] == "checkbox":
            flowable = Table([[_Tick(), Paragraph(escape(block["label"]), styles["body"])]], colWidths=[19, 464])
        case "field":
            flowable = KeepTogether([Paragraph(escape(block["label"]), styles["label"]), line])
        case _:
            captions = Table([["Signature", "Name", "Date signed"]], colWidths=[161] * 3)
            flowable = KeepTogether([Paragraph(escape(block["label"]), styles["signer"]), line, captions])
    return [flowable]
