"""Finds all issues of a document, each with its page. Specification 2.12 (rule 4), 7.3."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from domain.texts.combining_marks import TOO_MANY_MARKS, has_too_many_marks
from layout.blocks.image_block import ImageBlock
from layout.geometry import BODY_BOTTOM, MAX_PAGES
from layout.paging.build_blocks import BuiltBlocks
from layout.paging.margin_boxes import footer_length, title_lines
from layout.paging.pagination import PaginatedBlocks
from layout.schema.block_document import MAX_TEXTS, MIN_IMAGE_WIDTH, BlockDocument
from layout.schema.clauses import by_id, clauses_of
from layout.schema.field_names import field_names
from layout.schema.issues import Issue, IssueKind
from layout.schema.placeholders import OPENING, tokens_in
from layout.text.characters import MAX_CHARACTERS, exceeding_text, is_plain
from layout.text.fonts import FontMetrics
from layout.text.unicode_properties import cluster_ends

_SNIPPET = 80
_BLOCK = re.compile(r"/blocks/(\d+)")


@dataclass(frozen=True, slots=True)
class CheckContext:
    """A document with its layout.

    `images` are the known file ids. `variables` are those that a template declares, None for a session's document.
    `is_filled`: the document was made from a template, so it has no tokens.
    """

    document: BlockDocument
    built: BuiltBlocks
    paginated: PaginatedBlocks
    images: Collection[str]
    fonts: FontMetrics
    variables: Collection[str] | None = None
    is_filled: bool = False

    def page(self, path: str) -> int:
        """Returns the page of the block that `path` points into; 1 for other members of the document."""
        block = _BLOCK.match(path)
        return self.paginated.start_pages.get(block[0], 1) if block else 1

    def issue(self, kind: IssueKind, path: str, message: str, text: str) -> Issue:
        return Issue(kind, self.page(path), message, shorten(text), path)


def find_issues(context: CheckContext, recipient_keys: Collection[str]) -> tuple[Issue, ...]:
    """Returns all issues in document order."""
    issues = [
        *_titles(context),
        *_footer(context),
        *_tokens(context),
        *_recipients(context, frozenset(recipient_keys)),
        *_names(context),
        *_references(context),
        *_images(context),
        *_unplaced(context),
        *_marks(context),
        *_characters(context),
        *_texts(context),
        *_pages(context),
    ]

    def position(issue: Issue) -> tuple[int, str]:
        block = _BLOCK.match(issue.path)
        return (int(block[1]) if block else -1, issue.path)

    return tuple(sorted(issues, key=position))


def shorten(text: str) -> str:
    """Returns `text` on one line, shortened for a message."""
    line = " ".join(text[: 4 * _SNIPPET].split())
    if len(line) <= _SNIPPET and len(text) <= 4 * _SNIPPET:
        return line
    end = max((end for end in cluster_ends(line) if end < _SNIPPET), default=_SNIPPET - 1)
    return f"{line[:end].rstrip()}…"


def _titles(context: CheckContext) -> Iterator[Issue]:
    design = context.built.design
    remedy = "Shorten it, or make the logo narrower." if design.logo else "Shorten it to about 30 characters."
    message = f"The title does not fit on one line of the header band. {remedy}"
    for header in context.built.headers:
        if context.variables is not None and tokens_in(header.title):
            continue  # its length depends on values
        if len(title_lines(header, design, context.fonts)) > 1:
            yield context.issue(IssueKind.TITLE_TOO_LONG, f"{header.path}/title", message, header.title)


def _footer(context: CheckContext) -> Iterator[Issue]:
    label = context.document.footer_label
    if label is None or (context.variables is not None and tokens_in(label)):
        return
    room = footer_length(label, len(context.paginated.bodies), context.fonts, context.built.design.captions)
    if room is not None:
        message = (
            f"The footer label does not fit on one line beside the page numbers. Shorten it to about {room} characters."
        )
        yield context.issue(IssueKind.OUT_OF_BOUNDS, "/footerLabel", message, label)


def _tokens(context: CheckContext) -> Iterator[Issue]:
    if not context.is_filled:
        for path, text in context.document.texts():
            if OPENING in text:
                yield from token_issues(path, text, context.page(path), context.variables)


def token_issues(path: str, text: str, page: int, variables: Collection[str] | None) -> Iterator[Issue]:
    """Yields an issue for each distinct token that `text` must not have. `variables` are as in `CheckContext`."""
    for token in {token.written: token for token in reversed(tokens_in(text))}.values():
        if variables is None:
            kind, message = (
                IssueKind.TOKENS_IN_SESSION,
                f"The text holds the token {shorten(token.written)}, but a session's document is final. "
                "Put the value in its place, or create the session from a template.",
            )
        elif token.name not in variables:
            kind, message = (
                IssueKind.UNDECLARED_VARIABLE,
                f"No variable “{shorten(token.name)}” is declared. "
                "Declare it in the request's variables, or take the token out.",
            )
        else:
            continue
        yield Issue(kind, page, message, shorten(text[max(0, token.start - 20) : token.end + 20]), path)


_LISTED = 10
"""Maximum keys of recipients in a message."""


def _recipients(context: CheckContext, keys: frozenset[str]) -> Iterator[Issue]:
    known = ", ".join(shorten(key) for key in sorted(keys)[:_LISTED])
    for part, bound in context.document.bound():
        if bound.recipient not in keys:
            message = (
                f"No recipient has the key “{shorten(bound.recipient)}”. "
                "Use a key of the request's recipients, or declare this one there."
                f"{f' There are: {known}.' if known else ''}"
            )
            yield context.issue(IssueKind.UNKNOWN_RECIPIENT, f"{part}/recipient", message, bound.recipient)


def _names(context: CheckContext) -> Iterator[Issue]:
    seen: dict[str, str] = {}
    names = field_names(context.document)
    for path, field in context.document.inputs():
        if context.variables is not None and field.name is None and tokens_in(field.label):
            continue  # its name depends on values
        first = seen.setdefault(names[path], path)
        if first != path:
            own = field.name is not None
            message = (
                f"The field at {first} stores its value as “{shorten(names[path])}” too. "
                "Give one of them another name" + ("." if own else ": without one, a field is named by its label.")
            )
            member = "name" if own else "label"
            yield context.issue(IssueKind.DUPLICATE_FIELD_NAME, f"{path}/{member}", message, names[path])


def _references(context: CheckContext) -> Iterator[Issue]:
    clauses = tuple(clauses_of(context.document.blocks))
    first = by_id(clauses)
    for clause in clauses:
        if clause.id is not None and first[clause.id] is not clause:
            message = f"The block at {first[clause.id].path} has this id too. Give one of them another id."
            yield context.issue(IssueKind.INVALID_REFERENCE, f"{clause.path}/id", message, clause.id)
    known = ", ".join(shorten(one) for one, clause in list(first.items())[:_LISTED] if clause.label)
    for path, name in context.document.references():
        if name not in first:
            there = f" There are: {known}." if known else ""
            message = (
                f"No block has the id “{shorten(name)}”. Give a heading or paragraph this id, or name another.{there}"
            )
        elif not first[name].label:
            message = f"The block at {first[name].path} has no number. Give it `number: true`, or write the words here."
        else:
            continue
        yield context.issue(IssueKind.INVALID_REFERENCE, path, message, name)


def _images(context: CheckContext) -> Iterator[Issue]:
    for path, file_id in context.document.image_ids().items():
        if file_id not in context.images:
            message = (
                f"No image with the fileId “{shorten(file_id)}” was uploaded. "
                "Upload it first, and use the fileId of the answer."
            )
            yield context.issue(IssueKind.UNKNOWN_IMAGE, path, message, file_id)


def _unplaced(context: CheckContext) -> Iterator[Issue]:
    if not context.paginated.unplaced:
        return
    printed: dict[str, list[tuple[str, str]]] = {}
    for path, text in context.document.texts():
        place = _BLOCK.match(path)
        if place and not path.endswith("/placeholder"):
            printed.setdefault(place[0], []).append((path, text))
    for block in context.paginated.unplaced:
        if isinstance(block, ImageBlock):
            yield _image_too_tall(block, context)
            continue
        path, text = max(printed.get(block.path, ()), key=lambda one: len(one[1]), default=(block.path, ""))
        kind = IssueKind.ZONE_OUT_OF_BOUNDS if block.has_zone else IssueKind.OUT_OF_BOUNDS
        yield context.issue(kind, path, context.document.blocks[int(block.path.rpartition("/")[2])].too_tall, text)


def _marks(context: CheckContext) -> Iterator[Issue]:
    for path, text in context.document.whole_texts():
        if not is_plain(text) and has_too_many_marks(text):
            yield context.issue(IssueKind.TOO_MANY_MARKS, path, TOO_MANY_MARKS, text)


def _characters(context: CheckContext) -> Iterator[Issue]:
    exceeding = exceeding_text(context.document)
    if exceeding is not None:
        message = (
            f"The document has more than {MAX_CHARACTERS:,} different characters: they are exceeded in this text. "
            "Divide the document."
        )
        yield context.issue(IssueKind.TOO_MANY_CHARACTERS, exceeding[0], message, exceeding[1])


def _texts(context: CheckContext) -> Iterator[Issue]:
    exceeding = context.document.exceeding_text()
    if exceeding is not None:
        message = (
            f"The document has more than {MAX_TEXTS:,} texts, such as items of lists and options: they are exceeded "
            "here, and blocks from this one on were not laid out. Divide the document."
        )
        path, text = exceeding
        yield Issue(IssueKind.TOO_MANY_TEXTS, len(context.paginated.bodies), message, shorten(text), path)


def _pages(context: CheckContext) -> Iterator[Issue]:
    path = context.paginated.exceeded_at
    if path is not None:
        message = f"The document has more than {MAX_PAGES:,} pages: they end within this block. Divide the document."
        yield context.issue(IssueKind.TOO_MANY_PAGES, path, message, "")


def _image_too_tall(block: ImageBlock, context: CheckContext) -> Issue:
    page = context.paginated.start_pages[block.path]
    room = BODY_BOTTOM - context.paginated.bodies[page - 1].band.body_top
    message = (
        f"The image is {block.height:.0f} points tall at a width of {block.width:.0f}, and a page has room for "
        f"{room:.0f}. {image_remedy(block, room)}: an image is never split."
    )
    return context.issue(IssueKind.IMAGE_TOO_TALL, block.path, message, block.file.file_name)


def image_remedy(block: ImageBlock, room: float) -> str:
    """Returns the advice for an image that must not be taller than `room` points."""
    widest = int(block.width * room / block.height)
    return f"Give it a width of {widest} points at most" if widest >= MIN_IMAGE_WIDTH else "Crop it"
