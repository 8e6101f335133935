"""The structure tree of a tagged PDF. ISO 32000-1, 14.7 and 14.8; ISO 14289-1.

Elements are created in reading order while pages are painted. Marked content has a number on its page (MCID), which the
parent tree maps to its element.
"""

from dataclasses import dataclass, field
from urllib.parse import quote

from layout.captions import CAPTIONS, Captions, captions_of
from layout.frames import Frame, Image, Pattern, Placed, Role, UnplacedZone
from layout.geometry import PAGE_HEIGHT
from layout.pdf.document_catalog import ENGLISH
from layout.pdf.file_writer import PdfObjects, text_string
from layout.zone import ZoneType

ARTIFACT = "/Artifact BMC"
PAGINATION = "/Artifact <</Type/Pagination>> BDC"
END = "EMC"

_TAGS = {
    Role.PARAGRAPH: "P",
    Role.LIST: "L",
    Role.ITEM: "LI",
    Role.LABEL: "Lbl",
    Role.FIGURE: "Figure",
    Role.INPUT: "Div",
    Role.OPTION: "Div",
    Role.ROW: "Div",
    Role.SIGNATURE: "Div",
    Role.TABLE: "Table",
    Role.TABLE_ROW: "TR",
    Role.COLUMN_HEAD: "TH",
    Role.ROW_HEAD: "TH",
    Role.CELL: "TD",
}
_SCOPES = {Role.COLUMN_HEAD: "Column", Role.ROW_HEAD: "Row"}
_HEADINGS = frozenset({Role.TITLE, Role.HEADING})
_PARTS = {ZoneType.SIGNER_NAME: "name", ZoneType.DATE_SIGNED: "date", ZoneType.SIGNATURE: "signature"}
_PRINT_FIELDS = {ZoneType.CHECKBOX: "cb/checked/off", ZoneType.RADIO: "rb/checked/off"}


def identifier_of(zone: str) -> str:
    """Returns the identifier of a zone's element: its name, quoted so that PDF strings need no escapes."""
    return quote(zone, safe=":")


@dataclass(slots=True, eq=False)
class Element:
    """A structure element. `kids` are elements, marked content (page object and MCID) or object references."""

    tag: str
    number: int
    parent: int
    entries: str = ""
    kids: list["int | tuple[int, int] | str"] = field(default_factory=list)


class Structure:
    """The structure tree of a document while it is built."""

    def __init__(self, objects: PdfObjects, pages: int, language: str = ENGLISH) -> None:
        self._language = language
        self._captions = captions_of(language)
        self._objects = objects
        self._next_key = pages  # of the parent tree; the first keys are those of the pages
        self._number = objects.reserve()
        self.document = Element("Document", objects.reserve(), self._number)
        self._elements = [self.document]
        self._by_frame: dict[tuple[str, Role], Element] = {}
        self._bodies: dict[int, Element] = {}
        self._inputs: dict[str, int] = {}
        self._read_bands: set[str] = set()
        self._titled = False
        self._depth = 0  # of the last heading below the title
        self._page_object = 0
        self._marks: list[int] = []
        self._pages: list[list[int]] = []
        self._links: list[int] = []

    def begin_page(self, page_object: int) -> None:
        """Begins a page; `page_object` is its object number."""
        self._page_object = page_object
        self._marks = []
        self._pages.append(self._marks)

    def reads_band(self, path: str) -> bool:
        """Returns whether screen readers read the header band at `path`: only on the first page that has it."""
        known = path in self._read_bands
        self._read_bands.add(path)
        return not known

    def frame_element(self, at: Placed, parent: Element) -> Element:
        """Returns the element of a frame. Frames of the same path and role share one element."""
        key = (at.frame.path, at.frame.role)
        known = self._by_frame.get(key)
        if known is None:
            known = self.add(self._tag(at.frame), parent, _attributes(at))
            self._by_frame[key] = known
        return known

    def list_body(self, item: Element) -> Element:
        """Returns the element of a list item's text."""
        if item.number not in self._bodies:
            self._bodies[item.number] = self.add("LBody", item)
        return self._bodies[item.number]

    def zone_element(self, zone: UnplacedZone, parent: Element) -> Element:
        """Adds the element of a zone: a field of a non-interactive form."""
        name = identifier_of(zone.name)
        element = self.add("Form", parent, f"/ID ({name}){_print_field(zone, self._captions)}")
        self._inputs[name] = element.number
        return element

    def add(self, tag: str, parent: Element, entries: str = "") -> Element:
        """Appends a new element to `parent`."""
        element = Element(tag, self._objects.reserve(), parent.number, entries)
        parent.kids.append(element.number)
        self._elements.append(element)
        return element

    def mark(self, element: Element) -> str:
        """Returns the operator that begins content of `element` on this page; `END` ends it."""
        number = len(self._marks)
        self._marks.append(element.number)
        element.kids.append((self._page_object, number))
        return f"/{element.tag} <</MCID {number}>> BDC"

    def annotate(self, element: Element, annotation: int) -> int:
        """Adds an annotation on this page to `element`; returns its key in the parent tree."""
        element.kids.append(f"<</Type/OBJR/Obj {annotation} 0 R/Pg {self._page_object} 0 R>>")
        self._links.append(element.number)
        self._next_key += 1
        return self._next_key - 1

    def finish(self) -> str:
        """Writes the tree; returns the entries for the document catalog."""
        objects = self._objects
        for element in self._elements:
            objects.define(element.number, _definition(element))
        lists = (" ".join(f"{number} 0 R" for number in marks) for marks in self._pages)
        parents = [objects.add(f"[{marks}]") for marks in lists] + self._links
        nums = " ".join(f"{key} {number} 0 R" for key, number in enumerate(parents))
        names = " ".join(f"({name}) {number} 0 R" for name, number in sorted(self._inputs.items()))
        objects.define(
            self._number,
            f"<</Type/StructTreeRoot/K {self.document.number} 0 R/ParentTree <</Nums [{nums}]>>"
            f"/ParentTreeNextKey {len(parents)}{f'/IDTree <</Names [{names}]>>' if names else ''}>>",
        )
        return f"/StructTreeRoot {self._number} 0 R/MarkInfo <</Marked true>>/Lang ({self._language})"

    def _tag(self, frame: Frame) -> str:
        """Returns the tag of a frame. Without a title, the first heading gets level 1. No level is left out."""
        if frame.role not in _HEADINGS:
            return _TAGS[frame.role]
        self._titled = self._titled or frame.role is Role.TITLE
        if frame.role is Role.TITLE or not self._titled:
            return "H1"
        self._depth = min(frame.level, self._depth + 1)
        return f"H{self._depth + 1}"


def _attributes(at: Placed) -> str:
    frame = at.frame
    if frame.role is Role.LIST:
        return f"/A <</O/List/ListNumbering/{frame.numbering}>>"
    if frame.role in _SCOPES:
        return f"/A <</O/Table/Scope/{_SCOPES[frame.role]}>>"
    if frame.role is not Role.FIGURE:
        return ""
    alternative = f"/Alt {text_string(frame.alternative)}"
    rect = next((item.rect.moved(at.x, at.y) for item in frame.items if isinstance(item, Image | Pattern)), None)
    if rect is None:
        return alternative
    corners = (rect.x, PAGE_HEIGHT - rect.bottom, rect.right, PAGE_HEIGHT - rect.y)
    return f"{alternative}/A <</O/Layout/Placement/Block/BBox [{' '.join(f'{corner:.2f}' for corner in corners)}]>>"


def spoken_name(label: str, type: ZoneType, captions: Captions) -> str:
    """Returns the accessible name of an input: its label, and its part in a signature block."""
    if type not in _PARTS:
        return label
    part = captions.parts[_PARTS[type]]
    return f"{label}, {part.lower() if captions is CAPTIONS['en'] else part}"


def _print_field(zone: UnplacedZone, captions: Captions) -> str:
    """Returns text alternative and attributes of an empty input."""
    name = spoken_name(zone.label, zone.type, captions)
    role = _PRINT_FIELDS.get(zone.type, "tv")
    empty = f"{name}: {captions.not_ticked if zone.type is ZoneType.CHECKBOX else captions.empty}"
    return f"/Alt {text_string(empty)}/A <</O/PrintField/Role/{role}/Desc {text_string(name)}>>"


def _definition(element: Element) -> str:
    kids = element.kids
    page_object = 0
    for kid in kids:
        if isinstance(kid, tuple):
            page_object = kid[0]
            break
    if len(kids) == 1:
        content = f"/K {_kid(kids[0], page_object)}"
    else:
        content = f"/K [{' '.join([_kid(kid, page_object) for kid in kids])}]" if kids else ""
    place = f"/Pg {page_object} 0 R" if page_object else ""
    return f"<</S/{element.tag}/P {element.parent} 0 R{place}{element.entries}{content}>>"


def _kid(kid: "int | tuple[int, int] | str", page_object: int) -> str:
    if isinstance(kid, int):
        return f"{kid} 0 R"
    if isinstance(kid, str):
        return kid
    page, number = kid
    return str(number) if page == page_object else f"<</Type/MCR/Pg {page} 0 R/MCID {number}>>"
