"""The same document with other engines: same page, margins, faces and sizes, a header and a footer on every page.

Typst gets its own markup, prepared beforehand.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from layout.text.fonts import Face, font_file
from tests.bench.documents import Document

Make = Callable[[], bytes]
"""Lays the document out, from what the engine reads to the bytes of the PDF."""

_TEAL, _INK, _GREY = "#0f6a73", "#1f2328", "#667078"


def typst(document: Document) -> Make:
    source = typst_source(document).encode()
    return lambda: _compiler().compile(input=source, format="pdf")


@cache
def fonts_folder() -> Path:
    """Returns a folder with the regular and the bold face."""
    folder = Path(gettempdir()) / "undersign-bench-fonts"
    folder.mkdir(exist_ok=True)
    for face in (Face.REGULAR, Face.BOLD):
        (folder / f"{face.value}.ttf").write_bytes(font_file(face))
    return folder


def font_path(face: Face) -> str:
    return str(fonts_folder() / f"{face.value}.ttf")


@cache
def _compiler() -> Any:
    import typst

    return typst.Compiler(font_paths=[str(fonts_folder())], ignore_system_fonts=True)


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
            markup = f"== {_escaped(block['text'])}"
        case "paragraph" if "fontSize" in block:
            markup = f'#text({block["fontSize"]}pt, fill: rgb("{_GREY}"))[{_escaped(block["text"])}]'
        case "paragraph":
            markup = _escaped(block["text"])
        case "bulletList":
            markup = "\n".join(f"- {_escaped(item)}" for item in block["items"])
        case "spacer":
            markup = f"#v({block['height']}pt)"
        case "field" if block["fieldType"] == "checkbox":
            box = "#box(width: 11pt, height: 11pt, stroke: 0.8pt) #h(8pt)"
            markup = f"#block(breakable: false)[{box} {_escaped(block['label'])}]"
        case "field":
            markup = f"#block(breakable: false)[#text(9.5pt)[{_escaped(block['label'])}]#v(20pt){line}]"
        case _:
            cells = ", ".join(f"[{line}#text(7.5pt)[{caption}]]" for caption in ("Signature", "Name", "Date signed"))
            grid = f"#grid(columns: (1fr, 1fr, 1fr), gutter: 28pt, {cells})"
            markup = f"#block(breakable: false)[*{_escaped(block['label'])}*#v(30pt){grid}]"
    return markup


def reportlab(document: Document) -> Make:
    from tests.bench.platypus import make

    return lambda: make(document)


PEERS: dict[str, Callable[[Document], Make]] = {
    "Typst": typst,
    "ReportLab": reportlab,
}
