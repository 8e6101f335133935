"""A picture of a page that is kept is shown only where the page looks the same."""

from datetime import timedelta

from application.documents.page_images import PendingSubmission, version_of
from application.stamping.stamp_job import SignerSubmission
from domain.session.session import Session
from domain.session.submission import Signature, SignatureKind, SubmittedContent
from tests.builders import NOON, audit, created, recipient, submission

CONTENT = SubmittedContent(
    recipient_key="ada", values=(), signature=Signature(kind=SignatureKind.TYPED, text="Ada"), consent_version="1"
)


def sent(name: str = "Consulting agreement", signer: str = "Ada") -> Session:
    people = (recipient("ada", 1, name=signer), recipient("grace", 2))
    return created(*people, name=name).session.send(audit()).session


def signed(session: Session, minutes: int = 0, entries: str = "ada") -> Session:
    at = audit(NOON + timedelta(minutes=minutes))
    return session.sign(session.recipients[0].recipient_id, submission(entries), at).session


def version(session: Session, about_to: PendingSubmission | None = None) -> str:
    return version_of(session, session.files[0], about_to)


def test_unsigned_pages_are_cached_once_for_all_sessions() -> None:
    assert version(sent()) == version(sent("Another")) == sent().files[0].rendered.sha256


def test_signed_pages_are_cached_by_session_name_time_and_entries() -> None:
    shown = [
        signed(sent()),
        signed(sent("Another")),
        signed(sent(signer="Augusta")),
        signed(sent(), minutes=1),
        signed(sent(), entries="other"),
    ]
    assert len({version(session) for session in shown}) == len(shown)
    assert version(signed(sent())) == version(shown[0])


def test_pages_in_review_are_cached_by_session_and_entries() -> None:
    one, two = (
        PendingSubmission("grace", SignerSubmission("Grace", NOON, NOON.date(), CONTENT), sha256 * 64)
        for sha256 in "12"
    )
    shown = [version(session, about) for session in (sent(), sent("Another"), signed(sent())) for about in (one, two)]
    assert len(set(shown)) == len(shown)
    assert len({picture[-16:] for picture in shown}) == len(shown)
