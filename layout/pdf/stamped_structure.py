"""The structure tree of a file whose inputs are filled in: what is drawn into a zone becomes content of its element.

So a value is read where the input stood. `layout.pdf.structure` made the tree; its `IDTree` leads from zones to
elements.
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
"""The element of an input, as PyMuPDF prints what `layout.pdf.structure` has written."""
_NUMBERED = re.compile(r"(\d+)\s+(\d+) 0 R")


class StampedInputs:
    """The inputs of an opened file. In a file without a structure tree all that is drawn passes for decoration."""

    def __init__(self, opened: OpenedFile) -> None:
        self._opened = opened
        self._file = opened.file
        kind, tree = self._file.xref_get_key(self._file.pdf_catalog(), "StructTreeRoot")
        root = int(tree.split()[0]) if kind == "xref" else None
        self._elements = dict(_NAMED.findall(self._file.xref_get_key(root, "IDTree/Names")[1])) if root else {}
        self._parents = dict(_NUMBERED.findall(self._file.xref_get_key(root, "ParentTree/Nums")[1])) if root else {}

    def page(self, page_object: int) -> "StampedPage":
        """The inputs on the page that is object `page_object`."""
        parents = self._parents.get(self._file.xref_get_key(page_object, "StructParents")[1])
        return StampedPage(self._opened, page_object, self._elements, int(parents) if parents else 0)


class StampedPage:
    """The inputs on one page. `parents` is the object that says which element each piece of its content belongs to."""

    def __init__(self, opened: OpenedFile, page_object: int, elements: dict[str, str], parents: int) -> None:
        self._opened = opened
        self._file = opened.file
        self._page_object = page_object
        self._elements = elements if parents else {}
        self._parents = parents
        self._marks = re.findall(r"\d+ 0 R", self._file.xref_object(parents)) if parents else []

    def mark(self, name: str, alternative: str | None, *, ticks: bool) -> str:
        """The operator that begins what is drawn into the zone of that name. `alternative` says in words what it shows;
        None where it is text that can be read as it is. `ticks`: whether the input is ticked with it.
        """
        if identifier_of(name) not in self._elements:
            return ARTIFACT
        element, number = int(self._elements[identifier_of(name)]), len(self._marks)
        self._marks.append(f"{element} 0 R")
        spoken = "null" if alternative is None else text_string(alternative)
        found = _ELEMENT.fullmatch(self._file.xref_object(element, compressed=True))
        if found:  # as we have made it: all at once, since each key that is set by itself takes as long
            head, identifier, attributes, kids = found.groups()
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
        """Adds a piece of content to an element, however it is written."""
        kind, kids = self._file.xref_get_key(element, "K")
        before = "" if kind == "null" else kids.strip("[]")
        self._file.xref_set_key(element, "K", f"[{before} {number}]")
        self._file.xref_set_key(element, "Pg", f"{self._page_object} 0 R")
        self._file.xref_set_key(element, "Alt", spoken)

    def finish(self) -> None:
        """Writes down which element each piece of content belongs to, those that were marked included."""
        if self._parents:
            self._opened.define(self._parents, f"[{' '.join(self._marks)}]")
