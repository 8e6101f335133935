"""The same document with other engines: same page, margins, faces and sizes, a header and a footer on every page.

Each gets the document as it likes it, made beforehand where that is a text of its own (Typst, WeasyPrint).
"""

from collections.abc import Callable
from functools import cache
from html import escape
from io import BytesIO
from typing import Any

from layout.text.fonts import Face
from tests.bench import fonts
from tests.bench.documents import Document

Make = Callable[[], bytes]
"""Lays the document out, from what the engine reads to the bytes of the PDF."""

_TEAL, _INK, _GREY, _LINE = "#0f6a73", "#1f2328", "#667078", "#8b959c"


def typst(document: Document) -> Make:
    source = typst_source(document).encode()
    return lambda: _compiler().compile(input=source, format="pdf")


def weasyprint(document: Document) -> Make:
    from weasyprint import HTML

    page = _html_source(document)
    return lambda: HTML(string=page).write_pdf(font_config=_font_configuration(), pdf_tags=True)


@cache
def _compiler() -> Any:
    import typst

    return typst.Compiler(font_paths=[str(fonts.folder())], ignore_system_fonts=True)


@cache
def _font_configuration() -> Any:
    from weasyprint.text.fonts import FontConfiguration

    return FontConfiguration()


def _blocks(document: Document) -> Any:
    return document["blocks"]


def typst_source(document: Document) -> str:
    """Returns the document in Typst's own markup."""
    return "\n\n".join([_typst_page(document), *map(_typst_block, _blocks(document))])


def _escaped(value: object) -> str:
    return str(value).replace("\\", "\\\\").replace("#", "\\#").replace("_", "\\_").replace("*", "\\*")


def _typst_page(document: Document) -> str:
    title, subtitle, label = (_escaped(document[name]) for name in ("title", "subtitle", "footerLabel"))
    return (
        f'#set document(title: "{document["title"]}")\n'
        f'#set page(paper: "a4", margin: (x: 56pt, top: 121pt, bottom: 76pt), header-ascent: 22pt, header: [\n'
        f'#text(22pt, weight: "bold", fill: rgb("{_TEAL}"))[{title}]\\ #text(fill: rgb("{_GREY}"))[{subtitle}]\n'
        f'#line(length: 100%, stroke: 1pt + rgb("{_TEAL}"))], footer: context align(center, '
        f'text(8pt, fill: rgb("{_GREY}"))[{label} — page #counter(page).display("1 of 1", both: true)]))\n'
        f'#set text(font: "FiraGO", size: 10.5pt, fill: rgb("{_INK}"), lang: "en")\n'
        "#set par(leading: 0.72em, spacing: 1.1em)\n#set list(indent: 0pt)\n"
        "#show heading: set text(13pt)\n"
    )


def _typst_block(block: Any) -> str:
    line = "#line(length: 100%, stroke: 0.6pt)"
    match block["type"]:
        case "heading":
            made = f"== {_escaped(block['text'])}"
        case "paragraph" if "fontSize" in block:
            made = f'#text({block["fontSize"]}pt, fill: rgb("{_GREY}"))[{_escaped(block["text"])}]'
        case "paragraph":
            made = _escaped(block["text"])
        case "bulletList":
            made = "\n".join(f"- {_escaped(item)}" for item in block["items"])
        case "spacer":
            made = f"#v({block['height']}pt)"
        case "field" if block["fieldType"] == "checkbox":
            box = "#box(width: 11pt, height: 11pt, stroke: 0.8pt) #h(8pt)"
            made = f"#block(breakable: false)[{box} {_escaped(block['label'])}]"
        case "field":
            made = f"#block(breakable: false)[#text(9.5pt)[{_escaped(block['label'])}]#v(20pt){line}]"
        case _:
            cells = ", ".join(f"[{line}#text(7.5pt)[{caption}]]" for caption in ("Signature", "Name", "Date signed"))
            grid = f"#grid(columns: (1fr, 1fr, 1fr), gutter: 28pt, {cells})"
            made = f"#block(breakable: false)[*{_escaped(block['label'])}*#v(30pt){grid}]"
    return made


_CSS = f"""
@font-face {{ font-family: F; src: url(file://REGULAR) }}
@font-face {{ font-family: F; font-weight: bold; src: url(file://BOLD) }}
@page {{ size: 595pt 842pt; margin: 121pt 56pt 76pt;
  @top-left {{ content: element(header); vertical-align: bottom; padding-bottom: 22pt; width: 100% }}
  @bottom-center {{ content: string(label) " — page " counter(page) " of " counter(pages);
    font: 8pt F; color: {_GREY} }} }}
header {{ position: running(header); border-bottom: 1pt solid {_TEAL} }}
header b {{ font-size: 22pt; color: {_TEAL} }}
html {{ font: 10.5pt/1.42 F; color: {_INK} }} body {{ margin: 0 }}
h2 {{ font-size: 13pt; margin: 18pt 0 6pt }} p, ul {{ margin: 0 0 7.9pt }} .small {{ font-size: 9pt; color: {_GREY} }}
.field, .sign {{ break-inside: avoid }} .field i {{ display: block; height: 20pt; border-bottom: 0.6pt solid {_LINE} }}
.box {{ display: inline-block; width: 11pt; height: 11pt; border: 0.8pt solid {_LINE}; margin-right: 8pt }}
.sign td {{ border-top: 0.6pt solid {_LINE}; width: 33%; font-size: 7.5pt }}
.sign table {{ width: 100%; margin-top: 30pt }}
"""


def _html_source(document: Document) -> str:
    css = _CSS.replace("REGULAR", fonts.path(Face.REGULAR)).replace("BOLD", fonts.path(Face.BOLD))
    body = []
    for block in _blocks(document):
        match block["type"]:
            case "heading":
                body.append(f"<h2>{escape(block['text'])}</h2>")
            case "paragraph":
                body.append(f"<p{' class=small' if 'fontSize' in block else ''}>{escape(block['text'])}</p>")
            case "bulletList":
                body.append(f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in block['items'])}</ul>")
            case "spacer":
                body.append(f"<div style='height:{block['height']}pt'></div>")
            case "field" if block["fieldType"] == "checkbox":
                body.append(f"<p class=field><span class=box></span>{escape(block['label'])}</p>")
            case "field":
                body.append(f"<div class=field>{escape(block['label'])}<i></i></div>")
            case "signatureBlock":
                cells = "<tr><td>Signature</td><td>Name</td><td>Date signed</td></tr>"
                body.append(f"<div class=sign><b>{escape(block['label'])}</b><table>{cells}</table></div>")
    title, subtitle, label = (escape(str(document[name])) for name in ("title", "subtitle", "footerLabel"))
    return (
        f"<!doctype html><html lang=en><title>{title}</title>"
        f"<style>{css} html {{ string-set: label '{label}' }}</style>"
        f"<header><b>{title}</b><br>{subtitle}</header>{''.join(body)}"
    )


def reportlab(document: Document) -> Make:
    from tests.bench.platypus import make

    return lambda: make(document)


def fpdf2(document: Document) -> Make:
    from fpdf import FPDF

    title, subtitle, label = (str(document[name]) for name in ("title", "subtitle", "footerLabel"))

    class Pages(FPDF):
        def header(self) -> None:
            self.set_font("F", "B", 22)
            self.set_text_color(15, 106, 115)
            self.cell(0, 27, title, new_x="LMARGIN", new_y="NEXT")
            self.set_font("F", "", 10.5)
            self.set_text_color(102, 112, 120)
            self.multi_cell(0, 15, subtitle, new_x="LMARGIN", new_y="NEXT")
            self.line(56, self.y + 9, 539, self.y + 9)
            self.set_y(self.y + 31)

        def footer(self) -> None:
            self.set_y(-50)
            self.set_font("F", "", 8)
            self.cell(0, 11, f"{label} — page {self.page_no()} of {{nb}}", align="C")

    def make() -> bytes:
        pdf = Pages(unit="pt", format=(595, 842))
        pdf.set_margins(56, 46, 56)
        pdf.set_auto_page_break(auto=True, margin=76)
        pdf.add_font("F", "", fonts.path(Face.REGULAR))
        pdf.add_font("F", "B", fonts.path(Face.BOLD))
        pdf.add_page()
        for block in _blocks(document):
            _fpdf_block(pdf, block)
        written = BytesIO()
        pdf.output(written)
        return written.getvalue()

    return make


def _fpdf_block(pdf: Any, block: Any) -> None:
    def text(value: str, size: float = 10.5, style: str = "") -> None:
        pdf.set_font("F", style, size)
        pdf.set_text_color(31, 35, 40)
        pdf.multi_cell(0, size * 1.42, value, align="L", new_x="LMARGIN", new_y="NEXT")

    match block["type"]:
        case "heading":
            pdf.set_y(pdf.y + 18)
            text(block["text"], 13, "B")
        case "paragraph":
            text(block["text"], block.get("fontSize", 10.5))
            pdf.set_y(pdf.y + 7.9)
        case "bulletList":
            for item in block["items"]:
                text(f"•  {item}")
        case "spacer":
            pdf.set_y(pdf.y + block["height"])
        case "field" if block["fieldType"] == "checkbox":
            pdf.rect(56, pdf.y, 11, 11)
            text(f"      {block['label']}")
        case "field":
            text(block["label"], 9.5)
            pdf.set_y(pdf.y + 20)
            pdf.line(56, pdf.y, 539, pdf.y)
        case "signatureBlock":
            text(block["label"], 10.5, "B")
            pdf.set_y(pdf.y + 30)
            pdf.line(56, pdf.y, 539, pdf.y)
            text("Signature       Name       Date signed", 7.5)


PEERS: dict[str, Callable[[Document], Make]] = {
    "Typst": typst,
    "ReportLab": reportlab,
    "fpdf2": fpdf2,
    "WeasyPrint": weasyprint,
}
