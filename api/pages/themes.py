"""The colours of documents on the signing page, as one style sheet: the page's policy allows no styles in the page.

In the dark only filled header bands keep their colours: all others are chosen for paper. Spec: 2.6 Theme.
"""

from collections.abc import Iterator, Sequence

from api.pages.documents import SessionDocument
from layout.theme import Theme, hex_of, theme_of

_LIGHT = "@media (prefers-color-scheme: light)"


def has_theme(documents: Sequence[SessionDocument]) -> bool:
    return any(document.blocks.theme for document in documents)


def style_sheet(documents: Sequence[SessionDocument]) -> str:
    """Rules for each document that has a theme; the page numbers them from 1."""
    rules = (
        rule
        for number, document in enumerate(documents, start=1)
        if document.blocks.theme
        for rule in _rules(f"#document-{number}", theme_of(document.blocks.theme))
    )
    return "".join(f"{rule}\n" for rule in rules)


def _rules(sheet: str, theme: Theme) -> Iterator[str]:
    """`sheet` is the selector of the document's sheet; the shape of a filled band is in `pages.css`."""
    primary, accent, text, ink = map(hex_of, (theme.primary, theme.accent, theme.text, theme.band_text))
    yield f"{_LIGHT} {{ {sheet} {{ color: {text}; }} {sheet} > h3 {{ color: {accent}; }} }}"
    if theme.is_band:
        yield f"{sheet} .sheet-head {{ background: {primary}; border-bottom: 3px solid {accent}; }}"
        yield f"{sheet} .sheet-head > * {{ color: {ink}; background: none; }}"
    else:
        head = f"{sheet} .sheet-head {{ border-color: {primary}; }}"
        yield f"{_LIGHT} {{ {head} {sheet} .sheet-title {{ color: {primary}; }} }}"
