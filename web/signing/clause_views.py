"""Views of texts with runs and of numbered clauses, whose references are links within the page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from domain.shared.ids import FileId
from layout.schema.block_document import BlockDocument, BulletList, Paragraph
from layout.schema.clauses import by_id, clauses_of
from layout.schema.runs import Content, Reference, Run


@dataclass(frozen=True, slots=True)
class ReferenceView:
    """A reference: the number that it prints, and the HTML id of its block."""

    number: str
    element_id: str


ContentView = str | tuple[Run | ReferenceView, ...]
"""A text as its macro shows it."""


@dataclass(frozen=True, slots=True)
class HeadingView:
    """A heading with its HTML id; `label` is its number, or empty."""

    type: ClassVar[str] = "heading"
    content: ContentView
    element_id: str
    label: str = ""

    @property
    def text(self) -> str:
        """The heading without the forms of runs, as the list of headings shows it."""
        return f"{self.label} {plain_text(self.content)}".strip()


@dataclass(frozen=True, slots=True)
class ParagraphView:
    """A paragraph; `label` is its number, or empty. `element_id` is empty for one that nothing refers to."""

    type: ClassVar[str] = "paragraph"
    block: Paragraph
    content: ContentView
    element_id: str
    label: str

    @property
    def text(self) -> str:
        return plain_text(self.content)


@dataclass(frozen=True, slots=True)
class ListView:
    """A list with bullets, numbers or letters."""

    type: ClassVar[str] = "bulletList"
    style: str
    items: tuple[ContentView, ...]

    @property
    def first_text(self) -> str:
        return plain_text(self.items[0])


def plain_text(content: ContentView) -> str:
    """Returns the text without the forms of its runs."""
    if isinstance(content, str):
        return content
    return "".join(run.number if isinstance(run, ReferenceView) else run.text for run in content)


class ClauseViewer:
    """The views of the texts of one document."""

    def __init__(self, document: BlockDocument, file_id: FileId) -> None:
        clauses = tuple(clauses_of(document.blocks))
        self._file_id = file_id
        self._labels: Mapping[str, str] = {clause.path: clause.label for clause in clauses}
        self._by_id = by_id(clauses)

    def heading(self, content: Content, path: str) -> HeadingView:
        return HeadingView(self._content(content), self._element_id(path), self._labels.get(path, ""))

    def paragraph(self, block: Paragraph, path: str) -> ParagraphView:
        element_id = self._element_id(path) if block.id else ""
        return ParagraphView(block, self._content(block.text), element_id, self._labels.get(path, ""))

    def list(self, block: BulletList) -> ListView:
        return ListView(block.style, tuple(map(self._content, block.items)))

    def _element_id(self, path: str) -> str:
        return f"heading-{self._file_id}-{path.rpartition('/')[2]}"

    def _content(self, content: Content) -> ContentView:
        if isinstance(content, str):
            return content
        return tuple(self._reference(run) if isinstance(run, Reference) else run for run in content)

    def _reference(self, run: Reference) -> ReferenceView:
        clause = self._by_id[run.ref]
        return ReferenceView(clause.number, self._element_id(clause.path))
