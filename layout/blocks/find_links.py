"""Hyperlinks: addresses in text that begin with `http://`, `https://` or `mailto:`."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from urllib.parse import quote

from layout.frames import Rule, Text
from layout.text.fonts import FontMetrics
from layout.text.wrap_text import Line, width_of

_QUOTES = '<>"“”„«»‹›'
_OTHER_SCRIPTS = "、。，．！？：；｡､（）［］｛｝｢｣「」『』【】〈〉《》〔〕،؛؟۔।"
"""Punctuation that a space need not follow, as in Japanese, or that no address has without an encoding."""

_INVISIBLE = "\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ADDRESS = re.compile(
    rf"(?<!\w)(?:https?://|mailto:)[^\s{re.escape(_QUOTES + _OTHER_SCRIPTS)}{_INVISIBLE}]+", re.IGNORECASE
)
_AFTER = ".,;:!?'’…–—"
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_MAX_LENGTH = 2_048
"""Maximum characters of an address that becomes a link: it is written once for each of its lines."""

_KEPT = "%:/?#[]@!$&'()*+,;=~"  # permitted in addresses besides letters and digits
_DROP, _THICKNESS = 0.13, 0.05  # of the underline, in multiples of the size


@dataclass(frozen=True, slots=True)
class Link:
    """An address in a text, from character `start` up to `end`. `target` is the address in ASCII."""

    start: int
    end: int
    target: str


def find_links(text: str) -> tuple[Link, ...]:
    """Returns the addresses in `text`, in order."""
    if ":" not in text:
        return ()
    addresses = ((match.start(), _without_punctuation(match[0])) for match in _ADDRESS.finditer(text))
    return tuple(
        Link(start, start + len(address), quote(address, safe=_KEPT, errors="replace"))
        for start, address in addresses
        if len(address) <= _MAX_LENGTH and address.partition(":")[2].strip("/")
    )


def split_at_links(
    lines: Sequence[Line], texts: Sequence[Text], links: Sequence[Link], start: int, fonts: FontMetrics
) -> tuple[Text | Rule, ...]:
    """Splits `texts` where a link begins or ends, and underlines the links.

    `texts` show `lines`, which begin at offset `start` of the paragraph. `links` are those of the paragraph, in order.
    """
    pieces: list[Text] = []
    at = bisect_right(links, start, key=attrgetter("end"))
    for line, text in zip(lines, texts, strict=True):
        end = start + len(line.text) + line.ends_paragraph
        here: list[Link] = []
        while at < len(links) and links[at].start < end:
            here.append(replace(links[at], start=links[at].start - start, end=links[at].end - start))
            if links[at].end > end:
                break  # it continues on the next line
            at += 1
        pieces += _cut(text, here, fonts)
        start = end
    return (*pieces, *(_underline(piece) for piece in pieces if piece.link is not None))


def text_length(lines: Sequence[Line]) -> int:
    """Returns the length of the text that `lines` were broken from."""
    return sum(len(line.text) + line.ends_paragraph for line in lines)


def _cut(text: Text, links: Sequence[Link], fonts: FontMetrics) -> Iterator[Text]:
    done = 0
    for link in links:
        first, last = max(link.start, done), min(link.end, len(text.text))
        if first < last:
            if done < first:
                yield text_part(text, done, first, fonts)
            yield text_part(text, first, last, fonts)._replace(link=link.target)
            done = last
    if done == 0:
        yield text
    elif done < len(text.text):
        yield text_part(text, done, len(text.text), fonts)


def text_part(text: Text, first: int, last: int, fonts: FontMetrics) -> Text:
    """Returns the characters of `text` from `first` up to `last`, at their position on the line."""
    if text.glyphs is not None:
        x, width, glyphs = text.glyphs.part(first, last)
        scale = text.style.size / 1000
        return text._replace(x=text.x + x * scale, text=text.text[first:last], width=width * scale, glyphs=glyphs)
    before = width_of(text.text[:first], text.style, fonts)
    shown = text.text[first:last]
    return text._replace(x=text.x + before, text=shown, width=width_of(shown.rstrip(" "), text.style, fonts))


def _underline(text: Text) -> Rule:
    size = text.style.size
    return Rule(text.x, text.y + _DROP * size, text.width, _THICKNESS * size, text.style.colour)


def _without_punctuation(address: str) -> str:
    """Returns `address` without punctuation at its end. A closing bracket stays if it was opened inside."""
    counts = Counter(address)
    end = len(address)
    while True:
        last = address[end - 1]
        opened = _BRACKETS.get(last)
        if last not in _AFTER and (opened is None or counts[opened] >= counts[last]):
            return address[:end]
        counts[last] -= 1
        end -= 1
