"""Texts of lines, split where a span begins or ends; underlines."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from layout.blocks.alignment import Column, set_lines
from layout.frames import Rule, Text
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.spans import Span, with_face
from layout.text.wrap_text import Line, width_of

_DROP, _THICKNESS = 0.13, 0.05  # of the underline, in multiples of the size


class Wrapped(NamedTuple):
    """Lines that begin at offset `start` of a paragraph, whose `spans` are in order."""

    lines: Sequence[Line]
    spans: Sequence[Span] = ()
    start: int = 0


def set_wrapped(wrapped: Wrapped, style: TextStyle, fonts: FontMetrics, column: Column) -> tuple[Text | Rule, ...]:
    """Returns the texts of the lines, from the top of `column` down, and underlines; none unless `fonts.draws`."""
    texts = set_lines(wrapped.lines, style, fonts, column)
    return _split_at_spans(wrapped, texts, fonts) if wrapped.spans and texts else texts


def _split_at_spans(wrapped: Wrapped, texts: Sequence[Text], fonts: FontMetrics) -> tuple[Text | Rule, ...]:
    """Splits `texts`, which show the lines, where a span begins or ends; adds their faces, links and underlines."""
    lines, spans, start = wrapped
    pieces: list[Text] = []
    rules: list[Rule] = []
    at = bisect_right(spans, start, key=attrgetter("end"))
    for line, text in zip(lines, texts, strict=True):
        end = start + len(line.text) + line.ends_paragraph
        here: list[Span] = []
        while at < len(spans) and spans[at].start < end:
            here.append(spans[at]._replace(start=spans[at].start - start, end=spans[at].end - start))
            if spans[at].end > end:
                break  # it continues on the next line
            at += 1
        pieces += _cut(text, here, fonts)
        rules += _underlines(text, here, fonts)
        start = end
    return (*pieces, *rules)


def text_length(lines: Sequence[Line]) -> int:
    """Returns the length of the text that `lines` were broken from."""
    return sum(len(line.text) + line.ends_paragraph for line in lines)


def _cut(text: Text, spans: Sequence[Span], fonts: FontMetrics) -> Iterator[Text]:
    done, length = 0, len(text.text)
    for span in spans:
        first, last = max(span.start, done), min(span.end, length)
        if first < last:
            if done < first:
                yield _piece(text, done, first, fonts)
            yield _piece(text, first, last, fonts, span)
            done = last
    if done < length or not done:
        yield _piece(text, done, length, fonts)


def _piece(text: Text, first: int, last: int, fonts: FontMetrics, span: Span | None = None) -> Text:
    is_whole = span is None and (first, last) == (0, len(text.text))
    part = text if is_whole else text_part(text, first, last, fonts)
    if part.glyphs is not None and part.glyphs.is_plain:
        part = part._replace(glyphs=None)
    if span is None:
        return part
    return part._replace(style=with_face(text.style, span.face), link=span.target)


def text_part(text: Text, first: int, last: int, fonts: FontMetrics) -> Text:
    """Returns the characters of `text` from `first` up to `last`, at their position on the line."""
    if text.glyphs is not None:
        x, width, glyphs = text.glyphs.part(first, last)
        scale = text.style.size / 1000
        return text._replace(x=text.x + x * scale, text=text.text[first:last], width=width * scale, glyphs=glyphs)
    before = width_of(text.text[:first], text.style, fonts)
    shown = text.text[first:last]
    return text._replace(x=text.x + before, text=shown, width=width_of(shown.rstrip(" "), text.style, fonts))


def _underlines(text: Text, spans: Sequence[Span], fonts: FontMetrics) -> Iterator[Rule]:
    """Yields the underlines of a line, which end before the spaces at its end."""
    visible = len(text.text.rstrip(" "))
    size = text.style.size
    for span in spans:
        first, last = max(span.start, 0), min(span.end, visible)
        if span.underlined and first < last:
            for x, width in _extents(text, first, last, fonts):
                yield Rule(x, text.y + _DROP * size, width, _THICKNESS * size, text.style.colour)


def _extents(text: Text, first: int, last: int, fonts: FontMetrics) -> Iterator[tuple[float, float]]:
    """Yields position and width of each part of the line that the characters take, from left to right."""
    if text.glyphs is None:
        before = width_of(text.text[:first], text.style, fonts)
        yield text.x + before, width_of(text.text[first:last], text.style, fonts)
        return
    left, _, glyphs = text.glyphs.part(first, last)
    scale = text.style.size / 1000
    merged: list[tuple[int, int]] = []
    for begin, end in sorted((left + x, left + x + run.width) for x, run in glyphs.runs):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((begin, end))
    yield from ((text.x + begin * scale, (end - begin) * scale) for begin, end in merged)
