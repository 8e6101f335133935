"""Whether the colours that a document chose can be read: contrast as WCAG 2.2 measures it, against its level AA."""

from collections.abc import Iterator, Sequence

from layout.paging.header_band import Header
from layout.schema.issues import DocumentWarning, WarningKind
from layout.schema.theme import WHITE, Colour, Theme, to_hex

TEXT = 4.5
"""The least contrast of text (success criterion 1.4.3)."""

LARGE_TEXT = 3.0
"""The least contrast of bold text of 14 points and more, such as a title."""


def contrast(one: Colour, other: Colour) -> float:
    """From 1, the same lightness, to 21, black on white."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def contrast_warnings(theme: Theme, headers: Sequence[Header]) -> tuple[DocumentWarning, ...]:
    """What is hard to read in a document of this theme that has these titles and subtitles."""
    return tuple(_faint(theme, has_subtitle=any(header.subtitle for header in headers)))


def _faint(theme: Theme, *, has_subtitle: bool) -> Iterator[DocumentWarning]:
    if theme.is_band:
        needed = TEXT if has_subtitle else LARGE_TEXT
        yield from _check("/theme/bandTextColor", "the title", (theme.band_text, theme.primary), needed)
    else:
        yield from _check("/theme/primaryColor", "the title", (theme.primary, WHITE), LARGE_TEXT)
    yield from _check("/theme/accentColor", "headings", (theme.accent, WHITE), TEXT)
    yield from _check("/theme/textColor", "the text", (theme.text, WHITE), TEXT)


def _check(path: str, what: str, colours: tuple[Colour, Colour], needed: float) -> Iterator[DocumentWarning]:
    found = contrast(*colours)
    if found < needed:
        ink, ground = map(to_hex, colours)
        yield DocumentWarning(
            kind=WarningKind.LOW_CONTRAST,
            message=f"{ink} on {ground} makes {what} hard to read: the contrast is {_down(found)} to 1, and WCAG AA "
            f"asks for {needed:g} to 1. Choose a darker or a lighter colour.",
            path=path,
        )


def _down(ratio: float) -> str:
    """Cut, not rounded: nothing that is too little looks like enough."""
    return f"{int(ratio * 10) / 10:.1f}"


def _luminance(colour: Colour) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
