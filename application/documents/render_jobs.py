"""The work that the API has done in child processes: laying out documents and certificates.

The engine draws with PyMuPDF, which is not thread-safe and must not be loaded into the process that answers requests.
So the engine is imported inside these functions, which only children call, and what comes back is made of plain values:
unpickling a result of the engine's own would import the engine here.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from application.certificate.report import CertificateFacts, compose
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.schema.issues import DocumentWarning, Issue
from layout.zones.zone import Zone
from pades.placeholder import prepare_seal
from ports.sealing import PreparedPdf


@dataclass(frozen=True, slots=True)
class Typeset:
    """A document as pages. `pdf` is None when something is wrong.

    `undrawable` holds, for texts with characters that no font of ours has, their JSON pointer and those characters.
    """

    page_count: int
    zones: tuple[Zone, ...]
    issues: tuple[Issue, ...]
    warnings: tuple[DocumentWarning, ...]
    undrawable: tuple[tuple[str, str], ...]
    pdf: bytes | None


@dataclass(frozen=True, slots=True)
class ToPrint:
    """A text that somebody typed, and the zone into which it goes, if it is to fit into one."""

    text: str
    zone: Zone | None


@dataclass(frozen=True, slots=True)
class Printed:
    """How a text comes out: the characters that no font of ours has, and how many would fit if not all of it does."""

    undrawable: str
    room: int | None


def typeset(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile],
    variables: Collection[str] | None = None,
    is_filled: bool = False,
) -> Typeset:
    """Checks `document` and lays it out, with its `images` by file id.

    `variables` are those that a template declares, None for the document of a session. `is_filled`: it was made of a
    template, and what looks like a token in it is text.
    """
    from layout.engine import render  # noqa: PLC0415  # see above
    from layout.text.characters import undrawable_texts  # noqa: PLC0415  # see above

    rendered = render(document, recipient_keys, images, variables, is_filled=is_filled)
    return Typeset(
        page_count=rendered.page_count,
        zones=rendered.zones,
        issues=rendered.issues,
        warnings=rendered.warnings,
        undrawable=tuple(undrawable_texts(document)),
        pdf=rendered.pdf,
    )


def undrawable_names(names: Collection[str]) -> tuple[str, ...]:
    """For each of `names` the characters that cannot be drawn; mostly nothing."""
    from layout.text.characters import undrawable  # noqa: PLC0415  # see above

    return tuple(undrawable(name) for name in names)


def try_printing(texts: Sequence[ToPrint]) -> tuple[Printed, ...]:
    """How each of `texts` would come out."""
    from layout.engine import fitting_length  # noqa: PLC0415  # see above
    from layout.text.characters import undrawable  # noqa: PLC0415  # see above

    return tuple(
        Printed(undrawable(wanted.text), None if wanted.zone is None else fitting_length(wanted.text, wanted.zone))
        for wanted in texts
    )


def write_by_hand(texts: Sequence[str]) -> tuple[bytes | None, ...]:
    """The pictures (PNG) of names and initials as they are typed; None for what leaves no mark on paper."""
    from layout.handwriting.typed_signature import render_typed_signature  # noqa: PLC0415  # see above

    return tuple(map(render_typed_signature, texts))


def typeset_certificate(facts: CertificateFacts) -> bytes:
    """The certificate of completion as a PDF. Same facts, same bytes."""
    from layout.reports.render_report import render_report  # noqa: PLC0415  # see above

    return render_report(compose(facts))


def prepare_certificate(facts: CertificateFacts, room: int) -> PreparedPdf:
    """The certificate of completion with room for its seal."""
    return prepare_seal(typeset_certificate(facts), room, facts.statement)
