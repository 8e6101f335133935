"""The numbers of clauses, and the columns that they and their texts stand in: the same ones in a whole document."""

from collections.abc import Iterator, Mapping, Sequence

from layout.blocks.hanging_number import HangingNumber
from layout.schema.block_document import Block, Heading, Paragraph
from layout.schema.clauses import LEVELS, Clause
from layout.schema.runs import joined
from layout.text.bidi import reads_backwards
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.wrap_text import width_of
from layout.theme_styles import Theme

_NARROWEST, _BEHIND = 28.0, 8.0  # width of the column of numbers; space behind the widest one
_NARROWEST_LETTER, _BEHIND_LETTER = 20.0, 6.0


def style_of(part: Heading | Paragraph, theme: Theme) -> TextStyle:
    """Returns the style of the text and the number of a block."""
    if isinstance(part, Heading):
        return theme.heading_at(part.level)
    return theme.body(part.font_size, bold=part.bold, muted=part.muted)


def hang_numbers(
    blocks: Sequence[Block], clauses: Sequence[Clause], theme: Theme, fonts: FontMetrics
) -> dict[str, HangingNumber]:
    """Returns the number of each block that has one, by its path. Letters stand in a column of their own."""
    parts = {clause.path: blocks[int(clause.path.rpartition("/")[2])] for clause in clauses if clause.label}
    styles = {path: style_of(part, theme) for path, part in parts.items() if isinstance(part, Heading | Paragraph)}
    numbered = [clause for clause in clauses if clause.path in styles]
    outer = _widths(numbered, styles, fonts, are_letters=False)
    inner = _widths(numbered, styles, fonts, are_letters=True)
    column = max(_NARROWEST, max(outer, default=0.0) + _BEHIND)
    letter_at = column if any(not _is_letter(clause) for clause in numbered) else 0.0
    letter_column = letter_at + max(_NARROWEST_LETTER, max(inner, default=0.0) + _BEHIND_LETTER)
    hung: dict[str, HangingNumber] = {}
    for clause in numbered:
        x, indent = (letter_at, letter_column) if _is_letter(clause) else (0.0, column)
        backwards = _is_backwards(parts[clause.path])
        hung[clause.path] = HangingNumber(clause.label, styles[clause.path], x, indent, backwards)
    return hung


def _widths(
    clauses: Sequence[Clause], styles: Mapping[str, TextStyle], fonts: FontMetrics, *, are_letters: bool
) -> Iterator[float]:
    return (
        width_of(clause.label, styles[clause.path], fonts) for clause in clauses if _is_letter(clause) is are_letters
    )


def _is_letter(clause: Clause) -> bool:
    return clause.level == LEVELS


def _is_backwards(part: Block) -> bool:
    text = joined(part.text) if isinstance(part, Heading | Paragraph) else ""
    return not text.isascii() and reads_backwards(text.partition("\n")[0])
