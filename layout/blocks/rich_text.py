"""Texts with runs, prepared for drawing: one string with spans."""

from collections.abc import Mapping
from typing import NamedTuple

from layout.blocks.find_links import target_of
from layout.schema.clauses import Clause
from layout.schema.runs import AnyRun, Content, Reference
from layout.text.characters import prepare_text, prepare_texts
from layout.text.fonts import TextStyle
from layout.text.spans import Span, with_face

_NONE: Mapping[str, Clause] = {}


class RichText(NamedTuple):
    """A text that is prepared for drawing, with its style, and spans where it differs."""

    text: str
    style: TextStyle
    spans: tuple[Span, ...] = ()


UNKNOWN_NUMBER = "?"
"""What a reference prints that is reported as an issue."""


def rich_text(
    content: Content, style: TextStyle, clauses: Mapping[str, Clause] = _NONE, *, keeps_style: bool = False
) -> RichText:
    """Prepares `content`, whose own style is `style`. References are to the `clauses` by id.

    A text of one face has that face as its style, as if it were a string, unless it `keeps_style`.
    """
    if isinstance(content, str):
        return RichText(prepare_text(content), style)
    parts = prepare_texts([_text_of(run, clauses) for run in content])
    forms = [_form_of(run, style, clauses) for run in content]
    faces = [form.face for form in forms]
    used = {face for face, part in zip(faces, parts, strict=True) if part}
    own = with_face(style, used.pop()) if len(used) == 1 and not keeps_style else style
    spans: list[Span] = []
    start = 0
    for form, part in zip(forms, parts, strict=True):
        end = start + len(part)
        span = form._replace(start=start, end=end, face=None if form.face is own.face else form.face)
        if spans and spans[-1][1:] == (start, *span[2:]):
            spans[-1] = spans[-1]._replace(end=end)
        elif start < end and span[2:] != Span(0, 0)[2:]:
            spans.append(span)
        start = end
    return RichText("".join(parts), own, tuple(spans))


def _text_of(run: AnyRun, clauses: Mapping[str, Clause]) -> str:
    if not isinstance(run, Reference):
        return run.text
    return clauses[run.ref].number or UNKNOWN_NUMBER if run.ref in clauses else UNKNOWN_NUMBER


def _form_of(run: AnyRun, style: TextStyle, clauses: Mapping[str, Clause]) -> Span:
    """Returns a span with the form of `run`. The target of a reference is `#` and the path of its block."""
    if isinstance(run, Reference):
        return Span(0, 0, f"#{clauses[run.ref].path}" if run.ref in clauses else None, style.face)
    target = target_of(run.link) if run.link else None
    face = style.face.changed(bold=run.bold, italic=run.italic)
    return Span(0, 0, target, face, underlined=run.underline or target is not None)
