"""A session's page in each state, and its downloads."""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from domain.audit.events import Event
from domain.callbacks.callback import CallbackStatus, event_id
from domain.callbacks.delivery_schedule import Attempt, CallbackLogEntry
from domain.session.session import Session
from domain.shared.ids import EventId, SessionId
from tests.api.callback_log import keep_log
from tests.api.service import OWN
from tests.application.uploads import pdfs
from tests.builders import NOON, audit, identifier, submission
from tests.web.app.office import Made, Office, Visitor
from web.app.session_page import view_callback

IN_ORDER = [
    {"key": "ada", "name": "Ada Lovelace", "email": "ada@example.com", "signingOrder": 1},
    {"key": "grace", "name": "Grace Hopper", "email": "grace@example.com", "signingOrder": 2},
]


def words(text: str) -> str:
    return " ".join(text.split())


def path_of(session: dict[str, Any], *more: str) -> str:
    return "/".join(("/app/sessions", session["sessionId"], *more))


async def completed(office: Office) -> tuple[dict[str, Any], Session]:
    made = await office.service.create(sendImmediately=True)
    signed = await office.service.generate(await office.service.complete(made["sessionId"]))
    return made, signed


async def test_roles_are_shown_with_what_each_recipient_did(office: Office, ada: Visitor) -> None:
    mary = {"key": "mary", "name": "Mary Jackson", "email": "mary@example.com", "role": "copy", "signingOrder": 1}
    people = [mary, IN_ORDER[0], {**IN_ORDER[1], "role": "approver"}]
    draft = await office.service.create(recipients=people)
    before = words((await ada.look(path_of(draft))).words)
    await office.service.http().post(f"/api/v1/Session/{draft['sessionId']}/Send")
    session = office.service.sessions.held[SessionId(draft["sessionId"])]
    _, signer, approver = (recipient.recipient_id for recipient in session.recipients)
    session = await office.service.sessions.take(session.sign(signer, submission("ada"), audit()))
    waiting = words((await ada.look(path_of(draft))).words)
    listed = words((await ada.look("/app")).words)
    await office.service.generate(await office.service.sessions.take(session.approve(approver, audit())))
    done = words((await ada.look(path_of(draft))).words)

    assert "Ada Lovelace will be invited now; the other recipient follows in order." in before
    assert before.index("Grace Hopper") < before.index("Mary Jackson")
    assert "Grace Hopper grace@example.com Approves" in waiting
    assert "Mary Jackson mary@example.com Gets a copy When all have finished" in waiting
    assert "Grace Hopper was invited to approve" in waiting
    assert "Waiting for the approval of Grace Hopper." in waiting
    assert "1 of 2 signed" in listed
    assert "Gets a copy Copy ready" in done
    assert "Grace Hopper approved" in done


async def test_a_draft_is_shown_with_what_can_be_done(office: Office, ada: Visitor) -> None:
    draft = await office.service.create(
        expiryDays=30, reminderEnabled=True, message="Please sign.", recipientVerification="emailCode"
    )

    page = await ada.look(path_of(draft))

    forms = {str(form["action"]) for form in page.all("form")}
    assert {path_of(draft, "send"), path_of(draft, "archive")} <= forms
    assert path_of(draft, "restore") not in forms
    told = words(page.words)
    for part in (
        "Draft",
        "Waiting to be sent.",
        "30 days after sending",
        "every week after sending",
        "Please sign.",
        "a code by email",
    ):
        assert part in told


async def test_a_sentence_that_repeats_the_state_is_left_out(office: Office, ada: Visitor) -> None:
    made, _ = await completed(office)
    shown = words((await ada.look(path_of(made))).words)
    assert "Completed Download all" in shown


async def test_a_recipient_who_declined_has_that_time_and_one_who_was_never_asked_is_not_invited(
    office: Office, ada: Visitor
) -> None:
    made = await office.service.create(
        sendImmediately=True,
        recipients=IN_ORDER,
    )
    session = office.service.sessions.held[SessionId(made["sessionId"])]
    first = session.recipients[0].recipient_id
    await office.service.sessions.take(session.view(first, audit()))
    session = office.service.sessions.held[SessionId(made["sessionId"])]
    await office.service.sessions.take(session.decline(first, "Too much", audit(NOON + timedelta(hours=3))))

    page = await ada.look(path_of(made))

    stepper = words(page.words).partition("Recipients")[2]
    assert "15:00" in stepper.partition("Grace Hopper")[0]
    assert "Not invited" in stepper.partition("Grace Hopper")[2]


async def test_a_draft_says_who_is_invited_first(office: Office, ada: Visitor) -> None:
    draft = await office.service.create(recipients=IN_ORDER)
    told = words((await ada.look(path_of(draft))).words)
    assert "Ada Lovelace will be invited now; the other recipient follows in order." in told


async def test_of_a_completed_session_everything_can_be_downloaded(office: Office, ada: Visitor) -> None:
    made, signed = await completed(office)
    page = await ada.look(path_of(made))
    file_id = signed.files[0].file_id

    assert {path_of(made, "all"), path_of(made, "certificate"), path_of(made, "signed", file_id)} <= set(page.links())
    one = await ada.browser.get(path_of(made, "signed", file_id))
    certificate = await ada.browser.get(path_of(made, "certificate"))
    everything = await ada.browser.get(path_of(made, "all"))

    assert one.status_code == 303
    assert certificate.content.startswith(b"%PDF")
    assert "certificate" in certificate.headers["content-disposition"]
    assert 'filename="Consulting agreement.zip"' in everything.headers["content-disposition"]
    with ZipFile(BytesIO(everything.content)) as packed:
        assert packed.namelist() == ["Agreement.pdf", "Consulting agreement - certificate of completion.pdf"]
        assert packed.read("Agreement.pdf").startswith(pdfs.pdf())


async def test_names_of_files_in_the_download_differ_and_are_no_paths(office: Office, ada: Visitor) -> None:
    made, signed = await completed(office)
    bad = signed.files[0].model_copy(update={"file_name": "../../evil.pdf"})
    await office.service.rows.record(signed.model_copy(update={"files": (bad,)}), ())

    answer = await ada.browser.get(path_of(made, "all"))

    with ZipFile(BytesIO(answer.content)) as packed:
        assert not any(name.startswith((".", "/")) or "/" in name for name in packed.namelist())


@pytest.mark.parametrize("what", ["all", "certificate", "signed"])
async def test_downloads_before_completion_get_a_page(what: str, sent: Made, ada: Visitor) -> None:
    path = path_of(sent, what, sent["files"][0]["fileId"]) if what == "signed" else path_of(sent, what)
    assert "Not ready yet" in (await ada.look(path, status=409)).words


async def test_the_pdf_without_values_is_there_before_signing(draft: Made, ada: Visitor) -> None:
    assert (await ada.browser.get(path_of(draft, "sent", draft["files"][0]["fileId"]))).status_code == 303


def logged(session: dict[str, Any], number: int, **members: Any) -> CallbackLogEntry:
    tried = Attempt(at=NOON, status_code=503, error="answered 503", duration_ms=44)
    standard: dict[str, Any] = {
        "event_id": event_id(SessionId(session["sessionId"]), str(number)),
        "type": "session.sent",
        "receiver": "https://hooks.example.com:443",
        "status": CallbackStatus.PENDING,
        "attempts": (tried,),
        "next_attempt_at": datetime.now(UTC),
        "paused_since": None,
    }
    return CallbackLogEntry(**{**standard, **members})


async def test_the_log_of_callbacks_shows_each_result_and_a_paused_receiver(
    office: Office, with_callback: Made, ada: Visitor
) -> None:
    await keep_log(
        office.service.database,
        OWN.organisation_id,
        with_callback["sessionId"],
        logged(with_callback, 2, next_attempt_at=datetime.now(UTC) + timedelta(minutes=32, seconds=30)),
        logged(
            with_callback, 3, type="recipient.viewed", status=CallbackStatus.FAILED, next_attempt_at=None, attempts=()
        ),
        logged(with_callback, 4, paused_since=NOON, next_attempt_at=None),
    )

    page = await ada.look(path_of(with_callback))

    shown = words(page.words)
    for part in (
        "https://hooks.example.com/x",
        "Retrying 1 failed attempt, next in 33 min",
        "answered 503 · 44 ms",
        "Documents opened Failed not attempted yet",
        "https://hooks.example.com:443 have failed for days",
    ):
        assert part in shown
    assert path_of(with_callback, "resume") in {str(form["action"]) for form in page.all("form")}


@pytest.mark.parametrize("what", ["", "/delete", "/all", "/certificate", "/nothing", "/sent/x", "/signed/x"])
async def test_a_session_that_was_deleted_is_not_there(office: Office, what: str, draft: Made, ada: Visitor) -> None:
    await office.service.http().delete(f"/api/v1/Session/{draft['sessionId']}?permanent=true")
    assert "Page not found" in (await ada.look(path_of(draft) + what, status=404)).words


@pytest.mark.parametrize("what", ["all", "certificate", "signed"])
@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything else"])
async def test_a_link_on_another_site_leads_to_the_page_and_leaves_no_trace(
    office: Office, what: str, site: str, ada: Visitor
) -> None:
    made, session = await completed(office)
    path = path_of(made, what, *([session.files[0].file_id] if what == "signed" else []))

    led = await ada.browser.get(path, headers={"Sec-Fetch-Site": site})

    assert (led.status_code, led.headers["location"]) == (303, path_of(made))
    assert "session.downloaded" not in [event.type for event in await events_of(office, session)]
    for own in ("same-origin", "none"):
        assert (await ada.browser.get(path, headers={"Sec-Fetch-Site": own})).headers.get("location") != path_of(made)
    assert "session.downloaded" in [event.type for event in await events_of(office, session)]


async def events_of(office: Office, session: Session) -> tuple[Event, ...]:
    return await office.service.rows.events(session.organisation_id, session.session_id)


FAILED = Attempt(at=NOON, status_code=500, error="answered 500", duration_ms=44)


def entry(**members: Any) -> CallbackLogEntry:
    standard: dict[str, Any] = {
        "event_id": EventId(identifier("event")),
        "type": "session.sent",
        "receiver": "https://hooks.example.com:443",
        "status": CallbackStatus.PENDING,
        "attempts": (),
        "next_attempt_at": NOON,
        "paused_since": None,
    }
    return CallbackLogEntry(**{**standard, **members})


@pytest.mark.parametrize(
    ("members", "shown"),
    [
        ({}, ("Pending", "busy", "not attempted yet", "next within a minute")),
        (
            {"attempts": (FAILED,) * 6, "next_attempt_at": NOON + timedelta(minutes=32, seconds=3)},
            ("Retrying", "todo", "6 failed attempts", "next in 33 min"),
        ),
        (
            {"attempts": (FAILED,), "next_attempt_at": NOON + timedelta(hours=5)},
            ("Retrying", "todo", "1 failed attempt", "next in 5 h"),
        ),
        (
            {"attempts": (FAILED,), "next_attempt_at": NOON + timedelta(days=3)},
            ("Retrying", "todo", "1 failed attempt", "next in 3 days"),
        ),
        ({"attempts": (FAILED,), "paused_since": NOON}, ("On hold", "still", "1 failed attempt", "")),
        ({"status": CallbackStatus.FAILED, "attempts": (FAILED,)}, ("Failed", "bad", "1 attempt", "")),
        ({"status": CallbackStatus.DELIVERED, "attempts": (FAILED,) * 2}, ("Delivered", "good", "2 attempts", "")),
    ],
)
def test_a_failing_callback_does_not_look_fine(members: dict[str, Any], shown: tuple[str, ...]) -> None:
    view = view_callback(entry(**members), NOON)
    assert (view.state, view.css_class, view.attempts, view.next_attempt) == shown
