"""Pages as a PDF file: contents, fonts, title, language, bookmarks. Same pages, same bytes."""

from collections.abc import Iterator, Sequence

from layout.codes import CodePages
from layout.frames import Placed, Role, Text
from layout.geometry import PAGE_HEIGHT, PAGE_WIDTH
from layout.mupdf import new_file
from layout.pages import Page
from layout.paint import items_of, number, paint_page, texts_by_face
from layout.pdf import PdfObjects, text_string

_ABOVE_HEADING = 12.0


def write_pdf(pages: Sequence[Page], title: str) -> bytes:
    """The file. `title` is the document's, for the window of whoever reads it."""
    with new_file() as file:
        objects = PdfObjects(file)
        shown = texts_by_face(items_of(pages))
        codes = CodePages(set().union(*shown.values()))
        fonts = " ".join(f"/{name} {xref} 0 R" for name, xref in objects.add_fonts(shown, codes).items())
        resources = objects.add(f"<< /Font << {fonts} >> >>")
        catalog = file.pdf_catalog()
        tree = int(file.xref_get_key(catalog, "Pages")[1].split()[0])
        leaves = [_add_page(objects, paint_page(page, codes), tree, resources) for page in pages]
        kids = " ".join(f"{leaf} 0 R" for leaf in leaves)
        objects.set(tree, f"<< /Type /Pages /Count {len(leaves)} /Kids [{kids}] >>")
        outline = _add_bookmarks(objects, pages, leaves)
        objects.set(
            catalog,
            f"<< /Type /Catalog /Pages {tree} 0 R /Lang (en) "
            f"/ViewerPreferences << /DisplayDocTitle true >> {outline} >>",
        )
        about = objects.add(f"<< /Title {text_string(title)} /Producer (Undersign) >>")
        file.xref_set_key(-1, "Info", f"{about} 0 R")
        identifier = objects.identifier()
        return objects.finished(identifier, identifier)


def _add_page(objects: PdfObjects, contents: bytes, tree: int, resources: int) -> int:
    stream = objects.add_stream(contents)
    return objects.add(
        f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {number(PAGE_WIDTH)} {number(PAGE_HEIGHT)}] "
        f"/Resources {resources} 0 R /Contents {stream} 0 R >>"
    )


def _add_bookmarks(objects: PdfObjects, pages: Sequence[Page], leaves: Sequence[int]) -> str:
    """One bookmark a heading, flat; the entries for the catalog."""
    headings = list(_headings(pages))
    if not headings:
        return ""
    root = objects.file.get_new_xref()
    items = [objects.file.get_new_xref() for _ in headings]
    for at, (page, placed) in enumerate(headings):
        title = "".join(item.text for item in placed.frame.items if isinstance(item, Text))
        top = number(min(PAGE_HEIGHT, PAGE_HEIGHT - placed.y + _ABOVE_HEADING))
        around = (f"/Prev {items[at - 1]} 0 R " if at else "") + (
            f"/Next {items[at + 1]} 0 R " if at + 1 < len(items) else ""
        )
        objects.set(
            items[at],
            f"<< /Title {text_string(title)} /Parent {root} 0 R {around}"
            f"/Dest [{leaves[page.number - 1]} 0 R /XYZ 0 {top} 0] >>",
        )
    objects.set(root, f"<< /Type /Outlines /First {items[0]} 0 R /Last {items[-1]} 0 R /Count {len(items)} >>")
    return f"/Outlines {root} 0 R /PageMode /UseOutlines"


def _headings(pages: Sequence[Page]) -> Iterator[tuple[Page, Placed]]:
    return ((page, at) for page in pages for at in page.frames() if at.frame.role is Role.HEADING)
