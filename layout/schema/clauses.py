"""Numbered clauses: blocks that have numbers, and the numbers that references print. Specification 2.7."""

from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from layout.schema.block_part import BlockPart
from layout.schema.part import WHOLE
from layout.schema.runs import ClauseId

LEVELS = 4


class ClausePart(BlockPart):
    """Base class of blocks that may have a number."""

    number: bool = Field(
        default=False, description="Prints a number: `1.`, `1.1`, `1.1.1`, `(a)` by level, before a hanging text."
    )
    level: Annotated[int, Field(ge=1, le=LEVELS), WHOLE] = Field(
        default=1, description="Level of the number, 1 to 4. A level starts again under the one above."
    )
    id: ClauseId | None = Field(
        default=None, description="Name for references: letters, digits, `_` and `-`; unique.", examples=["rent"]
    )

    @model_validator(mode="after")
    def _level_of_a_number(self) -> Self:
        if "level" in self.model_fields_set and not self.number:
            message = "Without a number there is no level. Give `number: true`, or leave this out."
            raise PydanticCustomError("no_number", message, {"at": ("level",)})
        return self


class Clause(NamedTuple):
    """A block with a number or an id. `label` is the number as it stands before the block; empty without one."""

    path: str
    id: str | None
    label: str
    level: int

    @property
    def number(self) -> str:
        """The number as references print it, without the full stop of the first level."""
        return self.label.removesuffix(".")


def clauses_of(blocks: Iterable[BlockPart]) -> Iterator[Clause]:
    """Yields the blocks that have a number or an id, in order.

    A level that is left out above another counts as begun.
    """
    counts = [0] * LEVELS
    for at, block in enumerate(blocks):
        if not isinstance(block, ClausePart) or not (block.number or block.id):
            continue
        label = ""
        if block.number:
            depth = block.level - 1
            counts = [max(count, 1) for count in counts[:depth]] + [counts[depth] + 1] + [0] * (LEVELS - block.level)
            label = _label(counts[: block.level])
        yield Clause(f"/blocks/{at}", block.id, label, block.level)


def _label(counts: list[int]) -> str:
    if len(counts) == LEVELS:
        return f"({letters(counts[-1])})"
    return f"{counts[0]}." if len(counts) == 1 else ".".join(map(str, counts))


def letters(number: int) -> str:
    """Returns `a` to `z` for 1 to 26, then `aa`, `ab` and so on."""
    written = ""
    while number:
        number, rest = divmod(number - 1, 26)
        written = chr(ord("a") + rest) + written
    return written


def item_label(at: int, style: str) -> str:
    """Returns the number or letter of item `at`, from 0, of a list."""
    return f"{letters(at + 1) if style == 'letter' else at + 1}."


def by_id(clauses: Iterable[Clause]) -> dict[str, Clause]:
    """Returns the clauses by id; the first one of a repeated id."""
    found: dict[str, Clause] = {}
    for clause in clauses:
        if clause.id is not None:
            found.setdefault(clause.id, clause)
    return found
