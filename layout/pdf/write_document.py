"""Writes pages as a PDF file: contents, fonts, structure, title, bookmarks and links. Deterministic."""

from collections.abc import Mapping, Sequence

from layout.frames import Placed, Role, Text
from layout.geometry import PAGE_HEIGHT, PAGE_WIDTH
from layout.paging.pagination import Page
from layout.pdf.content_stream import number
from layout.pdf.document_catalog import ENGLISH, PRODUCER, Attachment, add_attachments, metadata, srgb_profile
from layout.pdf.file_writer import NewFile, PdfObjects, byte_string, text_string
from layout.pdf.font_objects import embed_fonts
from layout.pdf.page_painter import LinkArea, PagePainter
from layout.pdf.structure import Structure
from layout.pdf.used_resources import UsedResources
from layout.text.character_codes import FontEncoding

_ABOVE_HEADING = 12.0
_SPOKEN = 100  # characters of the text alternative of a reference


def write_pdf(
    pages: Sequence[Page],
    title: str,
    attachments: Sequence[Attachment] = (),
    language: str = ENGLISH,
    *,
    tags_scripts: bool = False,
) -> bytes:
    """Returns the PDF. `language` is its BCP 47 tag. Readers show `title` in the title bar of their window.

    `tags_scripts`: runs in other scripts than that of `language` are tagged with their own language.
    """
    file = NewFile()
    catalog = file.reserve()
    used = UsedResources.collect(at for page in pages for at in page.placed)
    images = _add_images(file, used)
    book = _Book(file, pages, language)
    book.add_pages(used, images, language if tags_scripts else None)
    about = file.add(f"<</Title {text_string(title)}/Producer {text_string(PRODUCER)}>>")
    packet = file.reserve()
    file.define_stream(
        packet, "/Type/Metadata/Subtype/XML", metadata(title, language, has_attachments=bool(attachments)), plain=True
    )
    colours = file.add_stream(srgb_profile(), "/N 3/Alternate/DeviceRGB")
    file.define(
        catalog,
        f"<</Type/Catalog/Pages {book.tree} 0 R{book.structure.finish()}{add_attachments(file, attachments)}"
        f"/Metadata {packet} 0 R/ViewerPreferences <</DisplayDocTitle true>>{book.bookmarks()}"
        f"/OutputIntents [<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier (sRGB)/Info (sRGB)"
        f"/DestOutputProfile {colours} 0 R>>]>>",
    )
    return file.finish(catalog, about)


def _add_images(file: NewFile, used: UsedResources) -> dict[str, int]:
    """Adds the images; returns object numbers by resource name."""
    if not used.images:
        return {}
    from layout.pdf.image_objects import add_image  # noqa: PLC0415  # Pillow is loaded only for images

    return {name: add_image(file, image) for name, image in used.images.items()}


class _Book:
    """The pages of a file, with page tree, bookmarks and links."""

    def __init__(self, objects: PdfObjects, pages: Sequence[Page], language: str) -> None:
        self.structure = Structure(objects, len(pages), language)
        self.tree = objects.reserve()
        self._objects = objects
        self._pages = pages
        self._page_objects = [objects.reserve() for _ in pages]
        self._places: dict[str, tuple[Page, Placed]] = {}

    def add_pages(self, used: UsedResources, images: Mapping[str, int], language: str | None) -> None:
        """Adds the pages. `images` has object numbers by resource name, `language` is as in `PagePainter`."""
        objects = self._objects
        encoding = FontEncoding(set().union(*used.characters.values()), shaped=used.glyphs)
        pictures = f"/XObject {_named(images)}" if images else ""
        resources = objects.add(f"<</Font {_named(embed_fonts(objects, used.characters, encoding))}{pictures}>>")
        for at, (page, page_object) in enumerate(zip(self._pages, self._page_objects, strict=True)):
            self.structure.begin_page(page_object)
            painter = PagePainter(encoding, self.structure, language)
            contents = objects.add_stream(painter.paint(page))
            links = "".join(f"{self._add_link(link)} 0 R " for link in painter.links)
            objects.define(
                page_object,
                f"<</Type/Page/Parent {self.tree} 0 R/MediaBox [0 0 {number(PAGE_WIDTH)} {number(PAGE_HEIGHT)}]"
                f"/Resources {resources} 0 R/StructParents {at}/Tabs/S{f'/Annots [{links}]' if links else ''}"
                f"/Contents {contents} 0 R>>",
            )
        kids = " ".join(f"{page_object} 0 R" for page_object in self._page_objects)
        objects.define(self.tree, f"<</Type/Pages/Count {len(self._page_objects)}/Kids [{kids}]>>")

    def bookmarks(self) -> str:
        """Adds a bookmark for each heading; returns the entries for the document catalog."""
        headings = [(page, at) for page in self._pages for at in page.placed if at.frame.role is Role.HEADING]
        if not headings:
            return ""
        root, *items = (self._objects.reserve() for _ in (None, *headings))
        for at, (page, placed) in enumerate(headings):
            title = "".join(item.text for item in placed.frame.items if isinstance(item, Text))
            top = number(min(PAGE_HEIGHT, PAGE_HEIGHT - placed.y + _ABOVE_HEADING))
            around = f"/Prev {items[at - 1]} 0 R" if at else ""
            around += f"/Next {items[at + 1]} 0 R" if at + 1 < len(items) else ""
            self._objects.define(
                items[at],
                f"<</Title {text_string(title)}/Parent {root} 0 R{around}"
                f"/Dest [{self._page_objects[page.number - 1]} 0 R/XYZ 0 {top} 0]>>",
            )
        self._objects.define(root, f"<</Type/Outlines/First {items[0]} 0 R/Last {items[-1]} 0 R/Count {len(items)}>>")
        return f"/Outlines {root} 0 R/PageMode/UseOutlines"

    def _action(self, link: LinkArea, key: int) -> str:
        """Returns the entries with the alternative text and the target of a link; `#` begins the path of a block."""
        if not link.target.startswith("#"):
            address = byte_string(link.target.encode("ascii"))
            return f"/Contents {text_string(link.target)}/StructParent {key}/A <</S/URI/URI {address}>>"
        if not self._places:
            for page in reversed(self._pages):  # a block begins on the first of its pages
                self._places |= {at.frame.path: (page, at) for at in page.placed}
        first = self._pages[0]  # for a block that is on no page, in a debug view
        page, at = self._places.get(link.target.removeprefix("#"), (first, first.placed[0]))
        text = "".join(item.text for item in at.frame.items if isinstance(item, Text))
        shown = f"{text[:_SPOKEN].rstrip()}…" if len(text) > _SPOKEN else text.rstrip()
        top = number(min(PAGE_HEIGHT, PAGE_HEIGHT - at.y + _ABOVE_HEADING))
        place = f"[{self._page_objects[page.number - 1]} 0 R/XYZ 0 {top} 0]"
        return f"/Contents {text_string(shown)}/StructParent {key}/A <</S/GoTo/D {place}>>"

    def _add_link(self, link: LinkArea) -> int:
        annotation = self._objects.reserve()
        key = self.structure.annotate(link.element, annotation)
        rect = link.rect
        corners = (rect.x, PAGE_HEIGHT - rect.bottom, rect.right, PAGE_HEIGHT - rect.y)
        self._objects.define(
            annotation,
            f"<</Type/Annot/Subtype/Link/Rect [{' '.join(map(number, corners))}]/Border [0 0 0]/F 4"
            f"{self._action(link, key)}>>",
        )
        return annotation


def _named(numbers: Mapping[str, int]) -> str:
    return f"<<{''.join(f'/{name} {number} 0 R' for name, number in numbers.items())}>>"
