"""Jobs for the process pool: rendering documents, certificates and typed signatures.

The engine uses PyMuPDF, which is not thread-safe and must not be loaded into the process that serves requests.
Therefore these functions import the engine locally, and return plain values: unpickling a type of the engine would
import it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from application.certificate import compose
from application.certificate_evidence import CertificateFacts
from domain.ports.seals import PreparedPdf
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.schema.issues import DocumentWarning, Issue
from layout.zone import Zone
from pades.prepare_seal import prepare_seal


@dataclass(frozen=True, slots=True)
class RenderedDocument:
    """A rendered document. `pdf` is None if the document has issues.

    `undrawable` holds pairs: the JSON pointer of a text, and the characters of that text that no font has.
    """

    page_count: int
    zones: tuple[Zone, ...]
    issues: tuple[Issue, ...]
    warnings: tuple[DocumentWarning, ...]
    undrawable: tuple[tuple[str, str], ...]
    pdf: bytes | None


@dataclass(frozen=True, slots=True)
class ZoneText:
    """A text that a recipient typed, and the zone that it must fit into, if any."""

    text: str
    zone: Zone | None


@dataclass(frozen=True, slots=True)
class TextFit:
    """The fit of a text. `undrawable` are characters that no font has, `room` the number that fits; None if all do."""

    undrawable: str
    room: int | None


def render_document(
    document: BlockDocument,
    recipient_keys: Collection[str],
    images: Mapping[str, ImageFile],
    variables: Collection[str] | None = None,
    is_filled: bool = False,
) -> RenderedDocument:
    """Checks `document`, lays it out with its `images` by file id, and returns the result.

    `variables` are the names of a template's variables, None for the document of a session. `is_filled`: the variables
    have been substituted, and remaining placeholders are plain text.
    """
    from layout.engine import render  # noqa: PLC0415  # see above
    from layout.text.characters import undrawable_texts  # noqa: PLC0415  # see above

    rendered = render(document, recipient_keys, images, variables, is_filled=is_filled)
    return RenderedDocument(
        page_count=rendered.page_count,
        zones=rendered.zones,
        issues=rendered.issues,
        warnings=rendered.warnings,
        undrawable=tuple(undrawable_texts(document)),
        pdf=rendered.pdf,
    )


def undrawable_names(names: Collection[str]) -> tuple[str, ...]:
    """Returns for each of the `names` its characters that no font has."""
    from layout.text.characters import undrawable  # noqa: PLC0415  # see above

    return tuple(undrawable(name) for name in names)


def check_text_fits(texts: Sequence[ZoneText]) -> tuple[TextFit, ...]:
    """Returns the fit of each text, in the order of `texts`."""
    from layout.engine import fitting_length  # noqa: PLC0415  # see above
    from layout.text.characters import undrawable  # noqa: PLC0415  # see above

    return tuple(
        TextFit(undrawable(one.text), None if one.zone is None else fitting_length(one.text, one.zone)) for one in texts
    )


def render_typed_signatures(texts: Sequence[str], style: str = "flowing") -> tuple[bytes | None, ...]:
    """Returns typed names and initials in that `HandStyle` (PNG); None for each text without visible characters."""
    from layout.handwriting.typed_signature import HandStyle, render_typed_signature  # noqa: PLC0415  # see above

    return tuple(render_typed_signature(text, HandStyle(style)) for text in texts)


def render_certificate(facts: CertificateFacts) -> bytes:
    """Returns the certificate of completion as a PDF. Equal `facts` result in equal bytes."""
    from layout.reports.render_report import render_report  # noqa: PLC0415  # see above

    return render_report(compose(facts))


def prepare_certificate(facts: CertificateFacts, room: int) -> PreparedPdf:
    """Returns the certificate of completion with `room` bytes reserved for its seal."""
    return prepare_seal(render_certificate(facts), room, facts.statement)
