"""`undersign verify --session` compares signed PDFs with what was signed, through a restore to the past and beyond."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from temporalio.testing import ActivityEnvironment

from activities.signed_documents import DocumentActivities
from adapters.object_store.local import LocalObjectStore
from cli.backends import open_repositories
from config.settings import Settings
from domain.audit.events import Event, EventType
from domain.ports.administrative_acts import ActKind, Change
from domain.session.materials import Materials
from domain.session.recipients import Recipient
from domain.session.session import Session, SessionFile, Submission
from domain.session.submission import FieldValue, Signature, SignatureKind, SubmittedContent
from domain.shared.ids import FileId
from domain.shared.object_names import session_prefix, submission_name
from layout.engine import render
from layout.zone import ZONES
from tests.builders import NOON, VERIFY_URL, audit, created, identifier, recipient
from tests.cli.commands import Answer, undersign
from tests.cli.verify.trusted_seals import trust_seals
from tests.fakes.processes import InlinePool
from tests.fakes.seals import SEALER
from tests.layout.documents import document, signature, text_field
from tests.layout.reading import text_of

FILE = FileId(identifier("file"))


class History:
    """A session with its events, as one state of the database has it. Acts on a copy leave the others as they are."""

    def __init__(self, session: Session, events: tuple[Event, ...]) -> None:
        self.session = session
        self.events = events

    def act(self, step: Any) -> "History":
        return History(step.session, (*self.events, *step.events))


class Place:
    """A data directory with objects in a folder, and what the service does there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.objects = LocalObjectStore(folder / "objects", bytes(32), "http://localhost")
        self._generating = DocumentActivities(self.objects, InlinePool(), SEALER, VERIFY_URL)

    async def send(self, *others: Recipient) -> History:
        """Returns a session that Ada and Grace are to sign, where Grace enters an account. `others` do not sign."""
        people = (recipient("ada", 1), recipient("grace", 2), *others)
        fields = (
            text_field("Account", name="account", recipient="grace"),
            signature("Ada", "ada"),
            signature("Grace", "grace"),
        )
        made = render(document(*fields), ["ada", "grace"])
        assert made.pdf
        zones = ZONES.dump_json(made.zones)
        file = SessionFile(
            file_id=FILE,
            file_name="Agreement.pdf",
            title="Agreement",
            page_count=made.page_count,
            zones=await self.objects.put("zones.json", zones, "application/json"),
            rendered=await self.objects.put("sent.pdf", made.pdf, "application/pdf"),
        )
        step = created(*people, files=(file,))
        history = History(step.session, step.events)
        return history.act(history.session.send(audit()))

    async def sign(self, history: History, key: str, account: str = "") -> History:
        session = history.session
        person = next(one for one in session.recipients if one.key == key)
        content = SubmittedContent(
            recipient_key=key,
            values=(FieldValue(file_id=FILE, name="account", value=account),),
            signature=Signature(kind=SignatureKind.TYPED, text=key),
            consent_version="1",
        )
        written = content.model_dump_json().encode()
        prefix = session_prefix(session.organisation_id, session.session_id)
        name = submission_name(prefix, person.recipient_id, written)
        submission = Submission(
            content=await self.objects.put(name, written, "application/json"),
            signature_sha256="5" * 64,
            consent_version="1",
        )
        return history.act(session.sign(person.recipient_id, submission, audit()))

    async def generate(self, history: History) -> History:
        session = history.session
        materials = Materials.of(session, session.files[0])
        made = await ActivityEnvironment().run(self._generating.generate_document, materials)
        return history.act(session.add_signed_document(FILE, made.signed, audit(), made.seal))

    def verify(self, history: History) -> Answer:
        """What the command says once the database holds `history`."""

        async def keep() -> None:
            async with open_repositories(Settings(data_dir=self.folder)) as repositories:
                await repositories.sessions.record(history.session, history.events)

        asyncio.run(keep())
        trust_seals(self.folder)
        return undersign(
            self.folder, "verify", "--session", history.session.session_id,
            "--organisation", history.session.organisation_id, UNDERSIGN_TEMPORAL_ADDRESS="127.0.0.1:1",
        )  # fmt: skip

    def repair(self, session: Session, *lost: int) -> None:
        """Records that a restore has lost these events."""

        async def record() -> None:
            async with open_repositories(Settings(data_dir=self.folder)) as database:
                change = Change(ActKind.SESSION_REPAIRED, session.session_id, after={"lostEvents": [*lost]})
                await database.acts.add(session.organisation_id, audit(), change)

        asyncio.run(record())

    def stored(self) -> Mapping[Path, bytes]:
        return {path: path.read_bytes() for path in self.folder.rglob("*.pdf")}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


async def restored_and_signed_again(place: Place) -> tuple[History, History]:
    """Two histories of one session: up to a backup they are one, after it Grace enters another account in each."""
    backup = await place.sign(await place.send(), "ada")
    first = await place.generate(await place.sign(backup, "grace", "PL61 1090"))
    before = place.stored()
    second = await place.generate(await place.sign(backup, "grace", "DK99 0000"))
    assert before.items() <= place.stored().items()
    return first, second


@pytest.mark.poppler
async def test_after_a_restore_the_signed_pdf_shows_what_was_signed_then(place: Place) -> None:
    first, second = await restored_and_signed_again(place)

    texts = [text_of(await pdf_of(place, history)) for history in (first, second)]

    assert [("PL61" in text, "DK99" in text) for text in texts] == [(True, False), (False, True)]


def test_after_a_restore_all_holds(place: Place) -> None:
    _, second = asyncio.run(restored_and_signed_again(place))

    answer = place.verify(second)

    assert (answer.code, answer.err) == (0, "")
    assert "The signed PDF of “Agreement” was made from the entries" in answer.out
    assert answer.out.count("are those in the audit trail") == len(second.session.recipients)


def test_a_signed_pdf_of_other_entries_does_not_hold(place: Place) -> None:
    first, second = asyncio.run(restored_and_signed_again(place))
    files = (second.session.files[0].model_copy(update={"signed": first.session.files[0].signed}),)

    answer = place.verify(History(second.session.model_copy(update={"files": files}), second.events))

    assert answer.code == 1
    assert "FAILS The signed PDF of “Agreement” was made from other entries" in answer.out


def test_entries_that_the_history_does_not_name_do_not_hold(place: Place) -> None:
    first, second = asyncio.run(restored_and_signed_again(place))
    session = second.session.model_copy(update={"recipients": first.session.recipients, "files": first.session.files})

    answer = place.verify(History(session, second.events))

    assert answer.code == 1
    assert "FAILS The entries of “Grace” are not those in the audit trail" in answer.out
    assert "The entries of “Ada” are those in the audit trail" in answer.out


@pytest.mark.parametrize(
    ("later", "code", "told"),
    [
        (timedelta(0), 0, "The approval of “Mary” is that in the audit trail."),
        (timedelta(days=1), 1, "FAILS The approval of “Mary” is not that in the audit trail"),
    ],
    ids=["as it was given", "at another time"],
)
def test_an_approval_is_the_one_in_the_audit_trail(place: Place, later: timedelta, code: int, told: str) -> None:
    mary = recipient("mary", 1, role="approver")

    async def approved() -> History:
        sent = await place.send(mary)
        history = await place.sign(sent.act(sent.session.approve(mary.recipient_id, audit())), "ada")
        return await place.generate(await place.sign(history, "grace"))

    history = asyncio.run(approved())
    approver = history.session.recipient(mary.recipient_id)
    answer = place.verify(History(history.session.with_recipient(approver, completed_at=NOON + later), history.events))
    assert answer.code == code
    assert told in answer.out


@pytest.mark.parametrize("part", ["signed-*.pdf", "submissions/*/*.json"])
@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"another")])
def test_what_was_lost_or_changed_in_the_object_store_does_not_hold(place: Place, part: str, damage: Any) -> None:
    _, second = asyncio.run(restored_and_signed_again(place))
    for path in list(place.folder.rglob(part)):
        damage(path)

    answer = place.verify(second)

    assert answer.code == 1
    assert "in the object store" in answer.out or "what is stored was changed" in answer.out


@pytest.mark.parametrize(
    ("recorded", "code", "told"),
    [
        ((1, 2), 0, "note  A restore lost 2 events, from 1 to 2, of this session"),
        ((1,), 1, "FAILS The chain of events is broken at event 1"),
        ((), 1, "FAILS The chain of events is broken at event 1"),
    ],
)
def test_events_that_a_restore_lost_are_a_note_if_the_repair_recorded_them(
    place: Place, recorded: tuple[int, ...], code: int, told: str
) -> None:
    _, whole = asyncio.run(restored_and_signed_again(place))
    session = whole.session

    place.repair(session, *recorded)
    answer = place.verify(History(session, whole.events[2:]))

    assert answer.code == code
    assert told in answer.out
    assert "was made from the entries" in answer.out


def test_entries_whose_event_a_restore_lost_are_a_note(place: Place) -> None:
    _, whole = asyncio.run(restored_and_signed_again(place))
    session, signing = whole.session, EventType.RECIPIENT_COMPLETED
    kept = tuple(event for event in whole.events if event.type is not signing)
    lost = [event.sequence for event in whole.events if event.type is signing]

    place.repair(session, *lost)
    answer = place.verify(History(session, kept))

    assert answer.code == 0
    assert "note  The entries of “Ada”: their event may be among the lost ones." in answer.out


async def pdf_of(place: Place, history: History) -> bytes:
    signed = history.session.files[0].signed
    assert signed
    return await place.objects.get(signed)
