"""The style sheet with the colours of the documents. The content security policy forbids inline styles.

The address of the style sheet encodes its colours. In dark mode only filled header bands keep their colours, because
the others are chosen for white paper.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

from fastapi import APIRouter, HTTPException, Response

from layout.theme_styles import theme_of, to_hex
from web.signing.session_documents import SessionDocument

_LIGHT = "@media (prefers-color-scheme: light)"
_HEADERS = {"Cache-Control": "public, max-age=86400", "X-Content-Type-Options": "nosniff"}
_MAX = 10

router = APIRouter()


class _Colours(NamedTuple):
    """The colours of one document, as hexadecimal digits. `number` is its number on the page, from 1."""

    number: int
    is_band: bool
    primary: str
    accent: str
    text: str
    ink: str

    @classmethod
    def of(cls, number: int, document: SessionDocument) -> Self:
        theme = theme_of(document.blocks.theme)
        colours = (theme.primary, theme.accent, theme.text, theme.band_text)
        return cls(number, theme.is_band, *(to_hex(colour).removeprefix("#") for colour in colours))

    @classmethod
    def read(cls, words: re.Match[str]) -> Self:
        number, shape, *colours = words.groups()
        return cls(int(number), shape == "band", *colours)

    def __str__(self) -> str:
        return "-".join((str(self.number), "band" if self.is_band else "line", *self[2:]))

    def rules(self) -> Iterator[str]:
        sheet = f"#document-{self.number}"
        yield f"{_LIGHT} {{ {sheet} {{ color: #{self.text}; }} {sheet} > h3 {{ color: #{self.accent}; }} }}"
        if self.is_band:
            yield f"{sheet} .sheet-head {{ background: #{self.primary}; border-bottom: 3px solid #{self.accent}; }}"
            yield f"{sheet} .sheet-head > * {{ color: #{self.ink}; background: none; }}"
        else:
            head = f"{sheet} .sheet-head {{ border-color: #{self.primary}; }}"
            yield f"{_LIGHT} {{ {head} {sheet} .sheet-title {{ color: #{self.primary}; }} }}"


_ONE = re.compile(r"([1-9][0-9]?)-(band|line)" + "-([0-9a-f]{6})" * 4, re.ASCII)


def theme_address(documents: Sequence[SessionDocument]) -> str | None:
    """Returns the address of the style sheet for the documents with a theme; None if none has one."""
    themed = [str(_Colours.of(at, document)) for at, document in enumerate(documents, 1) if document.blocks.theme]
    return f"/themes/{'_'.join(themed)}.css" if themed else None


@router.get("/themes/{words}.css", include_in_schema=False)
async def read_theme(words: str) -> Response:
    """Returns the style sheet that `words` encode; 404 unless they are numbers, kinds of header and colours only."""
    matches = [_ONE.fullmatch(one) for one in words.split("_")[: _MAX + 1]]
    themes = [_Colours.read(match) for match in matches if match]
    if len(themes) != len(matches) or len(themes) > _MAX:
        raise HTTPException(404)
    sheet = "".join(f"{rule}\n" for theme in themes for rule in theme.rules())
    return Response(sheet, media_type="text/css", headers=_HEADERS)
