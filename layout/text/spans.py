"""Spans: parts of a text with a face, an underline or a link of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from layout.text.fonts import Face, TextStyle

FaceEnds = tuple[tuple[int, Face], ...]
"""The faces of a text in order, each with the position where it ends."""


class Span(NamedTuple):
    """The characters from `start` up to `end`. `face` is None for that of the text; `target` is what it links to."""

    start: int
    end: int
    target: str | None = None
    face: Face | None = None
    underlined: bool = False


def faces_of(length: int, spans: Sequence[Span], face: Face) -> FaceEnds:
    """Returns the faces of a text of `length` characters, whose own face is `face`; empty if it has no other."""
    if not any(span.face not in {None, face} for span in spans):
        return ()
    ends: list[tuple[int, Face]] = []
    for end, own in _with_gaps(length, spans):
        if ends and ends[-1][1] is (own or face):
            ends.pop()
        ends.append((end, own or face))
    return tuple(ends)


def _with_gaps(length: int, spans: Sequence[Span]) -> Iterator[tuple[int, Face | None]]:
    done = 0
    for span in spans:
        if done < span.start:
            yield span.start, None
        yield span.end, span.face
        done = span.end
    if done < length:
        yield length, None


def faces_within(faces: FaceEnds, start: int, end: int) -> FaceEnds:
    """Returns the faces of the characters from `start` up to `end`, with positions from `start`."""
    inside: list[tuple[int, Face]] = []
    before = 0
    for last, face in faces:
        if max(before, start) < min(last, end):
            inside.append((min(last, end) - start, face))
        before = last
    return tuple(inside)


@lru_cache(256)
def with_face(style: TextStyle, face: Face | None) -> TextStyle:
    """Returns `style` in `face`; the same object for equal arguments."""
    return style if face is None or face is style.face else replace(style, face=face)


def with_links(spans: Sequence[Span], links: Sequence[Span]) -> tuple[Span, ...]:
    """Returns `spans`, with the targets of `links` where they have none. Both are in order."""
    if not links or not spans:
        return (*spans, *links)
    cuts = sorted({place for span in (*spans, *links) for place in (span.start, span.end)})
    merged: list[Span] = []
    at = link_at = 0
    for start, end in pairwise(cuts):
        while at < len(spans) and spans[at].end <= start:
            at += 1
        while link_at < len(links) and links[link_at].end <= start:
            link_at += 1
        own = spans[at] if at < len(spans) and spans[at].start <= start else None
        link = links[link_at] if link_at < len(links) and links[link_at].start <= start else None
        if own is not None:
            found = link.target if link and own.target is None else None
            merged.append(Span(start, end, own.target or found, own.face, own.underlined or found is not None))
        elif link is not None:
            merged.append(link._replace(start=start, end=end))
    return tuple(merged)
