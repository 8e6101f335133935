"""Base class of blocks. Specification 2.7."""

from collections.abc import Iterator

from pydantic import Field

from layout.schema.part import Part
from layout.schema.runs import Content


class BlockPart(Part):
    """Base class of blocks. The API and assistants show their docstrings and the descriptions of their members."""

    keep_together: bool = Field(
        default=False, description="Keeps the block on one page, unless it is taller than a page."
    )
    keep_with_next: bool = Field(
        default=False, description="Keeps the block on the page of the next one, unless a page is too small for both."
    )

    @property
    def too_tall(self) -> str:
        """The message for a block that is taller than a page and is never split."""
        return "This is taller than a page and is never split. Shorten it, or make a paragraph of most of it."

    def contents(self, path: str) -> Iterator[tuple[str, Content]]:  # noqa: ARG002  # blocks without texts
        """Yields the visible texts in reading order, each with its JSON pointer; `path` is that of the block."""
        yield from ()
