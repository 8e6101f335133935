"""Warnings about a document: low contrast, headings alone on a page, signature blocks, markup in texts.

Specification 2.6, 2.7, 2.11, 2.12. Contrast is measured as in WCAG 2.2 and compared with level AA.
`application.preview` adds warnings about characters that no font has.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from layout.blocks.block import Block
from layout.blocks.image_block import ImageBlock
from layout.blocks.spacer import Spacer
from layout.blocks.text_blocks import Heading
from layout.checks.find_issues import image_remedy, shorten
from layout.geometry import BODY_BOTTOM
from layout.paging.margin_boxes import Header
from layout.paging.pagination import Keeps, PageBreakMark, PaginatedBlocks
from layout.schema.block_document import BlockDocument, SignatureBlock
from layout.schema.issues import DocumentWarning, WarningKind
from layout.schema.runs import Reference, Runs
from layout.text.font_fallback import FontFallback, fallback_fonts
from layout.text.fonts import Face, Han
from layout.text.unicode_properties import script_of
from layout.theme_styles import WHITE, Colour, Theme, to_hex

TEXT = 4.5
"""Minimum contrast of text (success criterion 1.4.3)."""

LARGE_TEXT = 3.0
"""Minimum contrast of bold text of 14 points and more, such as a title."""

_MARKUP = re.compile(
    r"(?<!\{)\{\{[^{}\n]{1,100}\}\}(?!\})|\$\{[^{}\n]{1,100}\}"  # variables
    r"|</?(?:b|i|u|br|p|a|em|strong|span|div|h[1-6]|ul|ol|li|table|tr|td|th|img)(?:\s[^<>\n]{0,200})?/?>"
    r"|&(?:nbsp|amp|lt|gt|quot|#[0-9]{1,7});|\*\*[^\s*][^*\n]{0,200}\*\*|\[[^\[\]\n]{1,100}\]\(https?:",
    re.IGNORECASE,
)
"""What template languages, HTML and Markdown write, and the service prints as it is."""


def contrast(one: Colour, other: Colour) -> float:
    """Returns the contrast ratio, from 1 (equal lightness) to 21 (black on white)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def contrast_warnings(theme: Theme, headers: Sequence[Header]) -> Iterator[DocumentWarning]:
    """Yields a warning for each colour of the theme with too little contrast."""
    if theme.is_band:
        needed = TEXT if any(header.subtitle for header in headers) else LARGE_TEXT
        yield from _check("/theme/bandTextColor", "the title", (theme.band_text, theme.primary), needed)
    else:
        yield from _check("/theme/primaryColor", "the title", (theme.primary, WHITE), LARGE_TEXT)
    yield from _check("/theme/accentColor", "headings", (theme.accent, WHITE), TEXT)
    yield from _check("/theme/textColor", "the text", (theme.text, WHITE), TEXT)


def _check(path: str, what: str, colours: tuple[Colour, Colour], needed: float) -> Iterator[DocumentWarning]:
    ratio = contrast(*colours)
    if ratio < needed:
        ink, ground = map(to_hex, colours)
        shown = int(ratio * 10) / 10  # rounded down, so that an insufficient ratio does not look sufficient
        message = (
            f"{ink} on {ground} makes {what} hard to read: the contrast is {shown:.1f} to 1, and WCAG AA "
            f"asks for {needed:g} to 1. Choose a darker or a lighter colour."
        )
        yield DocumentWarning(WarningKind.LOW_CONTRAST, message, path)


def _luminance(colour: Colour) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lone_heading_warnings(
    blocks: Sequence[Block | PageBreakMark], paginated: PaginatedBlocks
) -> Iterator[DocumentWarning]:
    """Yields a warning for each heading whose content begins on another page, because no page holds both."""
    if paginated.exceeded_at is not None:
        return  # later blocks have no page
    for at, heading in enumerate(blocks):
        if isinstance(heading, Heading):
            following = next((block for block in blocks[at + 1 :] if not isinstance(block, Spacer)), None)
            if following is None or following in paginated.unplaced or heading in paginated.unplaced:
                continue
            page = paginated.start_pages[heading.path]
            if isinstance(following, PageBreakMark) or paginated.start_pages[following.path] != page:
                message = (
                    f"The heading stands alone at the end of page {page}. {_remedy(heading, following, paginated)}"
                )
                yield DocumentWarning(WarningKind.HEADING_ALONE, message, heading.path)


def not_together_warnings(
    blocks: Sequence[Block | PageBreakMark], keeps: Keeps, paginated: PaginatedBlocks
) -> Iterator[DocumentWarning]:
    """Yields a warning for each block that is on two pages, or on another page than the next one, against `keeps`."""
    if paginated.exceeded_at is not None or not (keeps.together or keeps.with_next):
        return
    unplaced = {block.path for block in paginated.unplaced}
    for at, block in enumerate(blocks):
        begin = paginated.start_pages[block.path]
        end = paginated.end_pages.get(block.path, begin)
        if block.path in unplaced or isinstance(block, PageBreakMark):
            continue
        if block.path in keeps.together and begin != end:
            message = f"The block is taller than a page: it is on the pages {begin} to {end}. Shorten it, or divide it."
            yield DocumentWarning(WarningKind.NOT_TOGETHER, message, f"{block.path}/keepTogether")
        following = next((block for block in blocks[at + 1 :] if not isinstance(block, Spacer)), None)
        if block.path not in keeps.with_next or following is None or following.path in unplaced:
            continue
        if isinstance(following, PageBreakMark) or paginated.start_pages[following.path] != end:
            reason = "a page break follows" if isinstance(following, PageBreakMark) else "no page holds both"
            message = f"The block after this one does not begin on page {end}: {reason}. Shorten or move one of them."
            yield DocumentWarning(WarningKind.NOT_TOGETHER, message, f"{block.path}/keepWithNext")


def _remedy(heading: Heading, following: Block | PageBreakMark, paginated: PaginatedBlocks) -> str:
    if isinstance(following, PageBreakMark):
        return "Put it after the page break that follows it, or take it out."
    if not isinstance(following, ImageBlock):
        return "What follows does not fit below it. Shorten that, or the heading."
    body = paginated.bodies[paginated.start_pages[heading.path] - 1]
    bottom = next(at.y + at.frame.height for at in body.placed if at.frame.path == heading.path)
    room = BODY_BOTTOM - bottom - max(heading.gaps.below, following.gaps.above)
    shown = f"The image after it is {following.height:.0f} points tall, and there is room for {room:.0f}."
    return f"{shown} {image_remedy(following, room)}."


def second_signature_warnings(document: BlockDocument) -> Iterator[DocumentWarning]:
    """Yields a warning for each further signature block of a recipient. Specification 2.7."""
    first: dict[str, str] = {}
    for path, bound in document.bound():
        if isinstance(bound, SignatureBlock) and first.setdefault(bound.recipient, path) != path:
            message = (
                f"The recipient “{shorten(bound.recipient)}” signs at {first[bound.recipient]} already, and "
                "will sign in both places at once. Keep one signature block for each signer."
            )
            yield DocumentWarning(WarningKind.SECOND_SIGNATURE, message, path)


def missing_signature_warnings(document: BlockDocument, recipient_keys: Collection[str]) -> Iterator[DocumentWarning]:
    """Yields a warning for each recipient without a signature block. Specification 2.7."""
    named = {bound.recipient for _, bound in document.bound() if isinstance(bound, SignatureBlock)}
    for key in recipient_keys:
        if key not in named:
            message = (
                f"The recipient “{shorten(key)}” has no signature block in this document. "
                "Add a signatureBlock with this key, or leave the recipient out."
            )
            yield DocumentWarning(WarningKind.NO_SIGNATURE_BLOCK, message, "/blocks")


def missing_face_warnings(document: BlockDocument, han: Han) -> Iterator[DocumentWarning]:
    """Yields a warning for the first run of each text whose letters have no bold or italic face. Specification 2.16."""
    for path, content in document.contents() if document.has_runs else ():
        if not isinstance(content, str):
            yield from islice(_missing_faces(path, content, han), 1)


def _missing_faces(path: str, runs: Runs, han: Han) -> Iterator[DocumentWarning]:
    for at, run in enumerate(runs):
        for name, face in (("bold", Face.BOLD), ("italic", Face.ITALIC)):
            if isinstance(run, Reference) or not getattr(run, name) or run.text.isascii():
                continue
            fonts = fallback_fonts(face, han)
            letter = next((one for one in sorted({*run.text}) if _lacks(name, one, fonts)), None)
            if letter is not None:
                message = f"There is no {name} type for the script of “{letter}”, which is printed without. "
                remedy = "Use bold, or underline the run." if name == "italic" else "Underline the run."
                yield DocumentWarning(WarningKind.MISSING_FACE, message + remedy, f"{path}/{at}/{name}")


def _lacks(name: str, letter: str, fonts: FontFallback) -> bool:
    """Returns whether `letter` has no face of that name."""
    if not letter.isalpha():
        return False
    variant = fonts.of(letter)
    upright = name == "italic" and script_of(letter) == "Arab"  # the italic font has upright letters of this script
    return variant is not None and (upright or name.title() not in variant.name)


def markup_warnings(document: BlockDocument, *, is_template: bool) -> Iterator[DocumentWarning]:
    """Yields a warning for each text with a variable in other braces, HTML or Markdown. Specification 2.11."""
    for path, text in document.texts():
        found = _MARKUP.search(text)
        if found is None:
            continue
        written = shorten(found[0])
        if written[0] not in "{$":
            advice = "Texts hold no HTML and no Markdown; use the members and the types of blocks."
        elif is_template:
            advice = f"Tokens have triple braces: {{{{{{{written.strip('${}').strip()}}}}}}}."
        else:
            advice = "Write the value, or create the session from a template."
        yield DocumentWarning(WarningKind.MARKUP, f"“{written}” is printed as it is. {advice}", path)
