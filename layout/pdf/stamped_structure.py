"""Update of the structure tree when a file is stamped: a drawn value becomes content of its zone's element.

Screen readers then read a value at the place of its input. `layout.pdf.structure` writes the tree, whose `IDTree` maps
zones to elements.
"""

import re

from layout.pdf.existing_file import OpenedFile
from layout.pdf.objects import text_string
from layout.pdf.structure import ARTIFACT, identifier_of

_NAMED = re.compile(r"\(([^()]*)\)\s*(\d+) 0 R")
_STRING = r"(?:\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f]*>)"
_ELEMENT = re.compile(
    rf"(<</S/Form/P \d+ 0 R/Pg )\d+ 0 R(/ID{_STRING})/Alt(?:{_STRING}| null)(/A<<.*>>)/K ?(\[[\d ]*\]|\d+)>>", re.DOTALL
)
"""An input's element, as PyMuPDF prints what `layout.pdf.structure` writes."""
_NUMBERED = re.compile(r"(\d+)\s+(\d+) 0 R")


class StampedInputs:
    """The inputs of an open file. In a file without a structure tree all drawings are artifacts."""

    def __init__(self, opened: OpenedFile) -> None:
        self._opened = opened
        self._file = opened.file
        kind, tree = self._file.xref_get_key(self._file.pdf_catalog(), "StructTreeRoot")
        root = int(tree.split()[0]) if kind == "xref" else None
        self._elements = dict(_NAMED.findall(self._file.xref_get_key(root, "IDTree/Names")[1])) if root else {}
        self._parents = dict(_NUMBERED.findall(self._file.xref_get_key(root, "ParentTree/Nums")[1])) if root else {}

    def page(self, page_object: int) -> "StampedPage":
        """Returns the inputs on the page that is object `page_object`."""
        parents = self._parents.get(self._file.xref_get_key(page_object, "StructParents")[1])
        return StampedPage(self._opened, page_object, self._elements, int(parents) if parents else 0)


class StampedPage:
    """The inputs on one page. `parents` is its object in the parent tree, which maps marked content to elements."""

    def __init__(self, opened: OpenedFile, page_object: int, elements: dict[str, str], parents: int) -> None:
        self._opened = opened
        self._file = opened.file
        self._page_object = page_object
        self._elements = elements if parents else {}
        self._parents = parents
        self._marks = re.findall(r"\d+ 0 R", self._file.xref_object(parents)) if parents else []

    def mark(self, name: str, alternative: str | None, *, ticks: bool) -> str:
        """Returns the operator that begins the marked content of the zone `name`.

        `alternative` is the text alternative; None if the content is text. `ticks`: the content ticks the input.
        """
        if identifier_of(name) not in self._elements:
            return ARTIFACT
        element, number = int(self._elements[identifier_of(name)]), len(self._marks)
        self._marks.append(f"{element} 0 R")
        spoken = "null" if alternative is None else text_string(alternative)
        match = _ELEMENT.fullmatch(self._file.xref_object(element, compressed=True))
        if match:  # written by the engine: one update, as setting a single key takes as long
            head, identifier, attributes, kids = match.groups()
            self._file.update_object(
                element,
                f"{head}{self._page_object} 0 R{identifier}/Alt {spoken}{attributes}/K[{kids.strip('[]')} {number}]>>",
            )
        else:
            self._set(element, number, spoken)
        if ticks:
            self._file.xref_set_key(element, "A/checked", "/on")
        return f"/Form <</MCID {number}>> BDC"

    def _set(self, element: int, number: int, spoken: str) -> None:
        """Adds marked content to an element in any notation."""
        kind, kids = self._file.xref_get_key(element, "K")
        before = "" if kind == "null" else kids.strip("[]")
        self._file.xref_set_key(element, "K", f"[{before} {number}]")
        self._file.xref_set_key(element, "Pg", f"{self._page_object} 0 R")
        self._file.xref_set_key(element, "Alt", spoken)

    def finish(self) -> None:
        """Writes the page's entry of the parent tree."""
        if self._parents:
            self._opened.define(self._parents, f"[{' '.join(self._marks)}]")
