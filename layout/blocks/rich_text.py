"""Texts with runs, prepared for drawing: one string with spans."""

from typing import NamedTuple

from layout.blocks.find_links import target_of
from layout.schema.runs import Content
from layout.text.characters import prepare_text, prepare_texts
from layout.text.fonts import TextStyle
from layout.text.spans import Span, with_face


class RichText(NamedTuple):
    """A text that is prepared for drawing, with its style, and spans where it differs."""

    text: str
    style: TextStyle
    spans: tuple[Span, ...] = ()


def rich_text(content: Content, style: TextStyle, *, keeps_style: bool = False) -> RichText:
    """Prepares `content`, whose own style is `style`.

    A text of one face has that face as its style, as if it were a string, unless it `keeps_style`.
    """
    if isinstance(content, str):
        return RichText(prepare_text(content), style)
    parts = prepare_texts([run.text for run in content])
    faces = [style.face.changed(bold=run.bold, italic=run.italic) for run in content]
    used = {face for face, part in zip(faces, parts, strict=True) if part}
    own = with_face(style, used.pop()) if len(used) == 1 and not keeps_style else style
    spans: list[Span] = []
    start = 0
    for run, face, part in zip(content, faces, parts, strict=True):
        end = start + len(part)
        span = Span(
            start,
            end,
            target=target_of(run.link) if run.link else None,
            face=None if face is own.face else face,
            underlined=run.underline or run.link is not None,
        )
        if spans and spans[-1][1:] == (start, *span[2:]):
            spans[-1] = spans[-1]._replace(end=end)
        elif start < end and span[2:] != Span(0, 0)[2:]:
            spans.append(span)
        start = end
    return RichText("".join(parts), own, tuple(spans))
