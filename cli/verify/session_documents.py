"""Document checks of `undersign verify --session`: entries against the audit trail, signed PDFs against the entries."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime

from adapters.object_store.factory import open_object_store
from application.documents.verify import check_file
from cli.errors import BackendUnavailable
from domain.audit.events import Event
from domain.audit.verification import Check, Finding, Outcome
from domain.seal.materials import Materials, matches_history
from domain.session.recipients import Recipient
from domain.session.session import Session, SessionFile
from domain.shared.object_names import ObjectReference
from ports.object_store import ObjectDamaged, ObjectMissing, ObjectStore, ObjectStoreError
from ports.process_pool import ProcessDied, ProcessPool
from ports.seals import TrustAnchors
from settings import Settings

_LIMIT_EXCEEDED = "exceeds the limit of time or memory for checks."


class DocumentCheck:
    """Compares the objects of a session with its row and its audit trail."""

    def __init__(self, objects: ObjectStore, pool: ProcessPool, trusted: TrustAnchors) -> None:
        self._objects = objects
        self._pool = pool
        self._trusted = trusted

    async def findings(self, session: Session, events: Sequence[Event]) -> AsyncIterator[Finding]:
        """Yields a finding for the entries of each recipient who has signed, and for each signed PDF.

        Raises:
            BackendUnavailable: the object store does not answer.
        """
        try:
            for recipient in session.recipients:
                if recipient.submission is not None:
                    yield await self._of_entries(recipient, recipient.submission, events)
            for file in session.files:
                if file.signed is not None:
                    yield await self._of_document(session, file, file.signed)
        except ObjectStoreError as error:
            raise BackendUnavailable(f"The object store failed: {error}") from error

    async def _of_entries(self, recipient: Recipient, entries: ObjectReference, events: Sequence[Event]) -> Finding:
        what = f"The entries of “{recipient.name}”"
        if not matches_history(recipient, events):
            return _fails(f"{what} are not those in the audit trail, or were made at another time.")
        try:
            await self._objects.get(entries)
        except (ObjectMissing, ObjectDamaged) as error:
            return _fails(f"{what} {_lost(error)} ({entries.name}).")
        return _holds(f"{what} are those in the audit trail.")

    async def _of_document(self, session: Session, file: SessionFile, signed: ObjectReference) -> Finding:
        what = f"The signed PDF of “{file.title}”"
        try:
            report = await self._pool.run(check_file, await self._objects.get(signed), self._trusted, datetime.now(UTC))
        except (ObjectMissing, ObjectDamaged) as error:
            return _fails(f"{what} {_lost(error)} ({signed.name}).")
        except ProcessDied:
            return _fails(f"{what} {_LIMIT_EXCEEDED}")
        materials, statement = Materials.of(session, file), report.seal.statement if report.seal else None
        if not report.verdict.is_intact or statement is None:
            return _fails(f"{what} does not hold. {report.summary}")
        if statement != materials.statement:
            return _fails(
                f"{what} was made from other entries, pages or times than those of the session, or for another "
                f"document. Its seal says: {statement.text}"
            )
        return _holds(f"{what} was made from the entries, pages and times of the session: {materials.sha256}.")


def open_objects(settings: Settings) -> ObjectStore:
    """Opens the object store of the settings, for reading.

    Raises:
        BackendUnavailable: there are no credentials for it.
    """
    try:
        # Only the API signs download URLs, so any key will do.
        return open_object_store(settings.object_store, settings.data_dir / "objects", bytes(32), settings.base_url)
    except ObjectStoreError as error:
        raise BackendUnavailable(f"The object store cannot be used: {error}") from error


def _lost(error: ObjectStoreError) -> str:
    is_missing = isinstance(error, ObjectMissing)
    return "cannot be found in the object store" if is_missing else "cannot be used: what is stored was changed"


def _holds(text: str) -> Finding:
    return Finding(check=Check.DOCUMENT, outcome=Outcome.HOLDS, text=text)


def _fails(text: str) -> Finding:
    return Finding(check=Check.DOCUMENT, outcome=Outcome.FAILS, text=text)
