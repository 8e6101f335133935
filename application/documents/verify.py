"""Verifies PDFs, for the command and the page. Runs in child processes, as the files are untrusted.

`pades.verification.verify_file` decides the verdict on the seal; here the pages and texts are compared with it.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime

from domain.audit.certificate_schema import Evidence
from domain.audit.verification_report import Check, FileReport, Finding, Outcome
from domain.ports.seals import PagesCompared, TrustAnchors
from pades.verification.verify_file import verify_file

MAX_SIZE = 50_000_000
"""Maximum size in bytes of a file to verify: seven times the limit of uploads, as seals and certificates add bytes."""

MAX_PAGES = 50
"""Pages that one job compares in both renderers. They take some 0.05 s each."""

_AGREES = "Its pages say the same as the facts that are attached to it."
_NOT_COMPARED = (
    "Something was added after the seal, and its pages cannot be compared with those that were sealed: there are too "
    "many or too large ones, or one cannot be drawn."
)
_NOT_DRAWN = "Its pages cannot be drawn, so it is unknown whether they look the same in all PDF readers."


def check_file(file: bytes, trusted: TrustAnchors, now: datetime) -> FileReport:
    """Returns the verification report on `file` at `now`. Runs in a child process."""
    report = _compare_pages(file, verify_file(file, trusted, now))
    if report.certificate is None or not report.verdict.is_intact:
        return report
    return report.with_findings([_compared(_text_of(file), report.certificate)])


def _compare_pages(file: bytes, report: FileReport) -> FileReport:
    """Compares the sealed pages in two renderers, and with the current pages if the file has revisions after the seal.

    The first check of those revisions is structural: they may contain only validation data.
    """
    if not report.verdict.is_intact or report.seal is None:
        return report
    sealed = file[: report.seal.revision_size]
    report = _compare_renderers(sealed, report)
    return _compare_revisions(sealed, file, report) if len(sealed) < len(file) else report


def _compare_renderers(sealed: bytes, report: FileReport) -> FileReport:
    from layout.pdf.compare_pages import RENDERERS, find_disagreement, page_count  # noqa: PLC0415  # see below
    from layout.pdf.draw_page_images import NotDrawable  # noqa: PLC0415  # see below

    try:
        count = page_count(sealed)
        disagreement = find_disagreement(sealed, range(1, min(count, MAX_PAGES) + 1))
    except NotDrawable:
        return report.with_findings([Finding(check=Check.RENDERERS, outcome=Outcome.OPEN, text=_NOT_DRAWN)])
    report = report.with_tools(RENDERERS)
    both = _named(RENDERERS)
    if disagreement is not None:
        text = f"Page {disagreement.page} looks different in {both}, so it is not proven what its signers saw."
        return report.as_unproven(Finding(check=Check.RENDERERS, outcome=Outcome.FAILS, text=text))
    which = "Its pages look" if count <= MAX_PAGES else f"The first {MAX_PAGES} of its {count} pages look"
    text = f"{which} the same in {both}, which share no code."
    following = MAX_PAGES + 1 if count > MAX_PAGES else None
    report = report.model_copy(update={"following_page": following})
    return report.with_findings([Finding(check=Check.RENDERERS, outcome=Outcome.HOLDS, text=text)])


def compare_following_pages(sealed: bytes, first: int) -> PagesCompared:
    """Compares the pages from `first` on, at most `MAX_PAGES`, in both renderers. Runs in a child process."""
    from layout.pdf.compare_pages import find_disagreement, page_count  # noqa: PLC0415  # see below
    from layout.pdf.draw_page_images import NotDrawable  # noqa: PLC0415  # see below

    following = first + MAX_PAGES
    try:
        count = page_count(sealed)
        disagreement = find_disagreement(sealed, range(first, min(count + 1, following)))
    except NotDrawable:
        return PagesCompared(first, None)
    return PagesCompared(disagreement.page if disagreement else None, following if following <= count else None)


def _compare_revisions(sealed: bytes, file: bytes, report: FileReport) -> FileReport:
    from layout.pdf.compare_pages import RENDERERS, first_difference  # noqa: PLC0415  # only child processes may load renderers
    from layout.pdf.draw_page_images import NotDrawable  # noqa: PLC0415  # see above

    try:
        page = first_difference(sealed, file)
    except NotDrawable:
        return report.as_unproven(Finding(check=Check.PAGES, outcome=Outcome.FAILS, text=_NOT_COMPARED))
    report = report.with_tools(RENDERERS)
    if page is not None:
        text = f"Page {page} does not look as it did when it was sealed, in {_named(RENDERERS, 'or')}."
        return report.as_changed(Finding(check=Check.PAGES, outcome=Outcome.FAILS, text=text))
    text = f"Its pages look as they did when they were sealed, in {_named(RENDERERS)}."
    return report.with_findings([Finding(check=Check.PAGES, outcome=Outcome.HOLDS, text=text)])


def _named(renderers: Mapping[str, str], word: str = "and") -> str:
    return f" {word} ".join(f"{name} {version}" for name, version in renderers.items())


def _text_of(file: bytes) -> str:
    from layout.pdf.pymupdf_file import text_of  # noqa: PLC0415  # only child processes may load PyMuPDF

    try:
        return text_of(file)
    except RuntimeError:
        return ""


def _compared(text: str, evidence: Evidence) -> Finding:
    """Compares the text of a certificate's pages with the attached evidence. Returns the finding."""
    printed = "".join(text.split())
    missing = [fact for fact in _printed_facts(evidence) if "".join(fact.split()) not in printed]
    if missing:
        text = f"Its pages do not say what the attached facts say: {missing[0]} is not on them."
        return Finding(check=Check.FACTS, outcome=Outcome.FAILS, text=text)
    return Finding(check=Check.FACTS, outcome=Outcome.HOLDS, text=_AGREES)


def _printed_facts(evidence: Evidence) -> Iterator[str]:
    """Yields the texts that the pages must contain literally. Names are excluded: a font may lack their characters."""
    yield from (evidence.session.session_id, evidence.session.organisation_id, evidence.chain.head)
    for document in evidence.documents:
        yield from (document.file_id, document.sha256, document.materials_sha256)
        if document.signed_sha256:
            yield document.signed_sha256
    for person in evidence.recipients:
        yield person.recipient_id
        for at in filter(None, (person.invited_at, person.viewed_at, person.consented_at, person.signed_at)):
            yield at.replace("T", " ").removesuffix("Z")
        yield from filter(None, (person.signature_sha256, person.submission_sha256))
    yield from (event.hash for event in evidence.events)
