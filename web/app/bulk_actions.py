"""Actions on several sessions of the list: the confirmation page, the action, and the result for each session."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from tempfile import TemporaryFile
from typing import IO, NamedTuple
from urllib.parse import urlencode
from zipfile import ZIP_STORED, ZipFile

from fastapi import Request, Response
from fastapi.responses import RedirectResponse, StreamingResponse

from application.errors import HistoryNotWhole
from application.off_loop import off_loop
from application.services import Services
from application.sessions import edit, organisation_actions
from domain.audit.events import AuditContext
from domain.session.edits import find_remindable
from domain.session.outcome_mail_recipients import withdrawal_mail_recipients
from domain.session.recipients import Recipient
from domain.session.session import Session
from domain.session.status import OPEN_FOR_SIGNING
from domain.shared import errors
from domain.shared.errors import CodedError
from domain.shared.file_names import attachment, free_name, safe_file_name
from domain.shared.ids import SessionId
from web.app.app_router import WRITERS_ONLY, app_router
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm, SignedInUser
from web.app.downloads import collect_files
from web.app.responses import error_key, redirect_with_flash
from web.asgi.dependencies import InjectedServices
from web.errors import CrossSiteDownload
from web.forms import is_own_request
from web.html_response import render
from web.page_route import READ
from web.texts import APP

router = app_router("/bulk")

MAX = 50
"""The largest number of sessions of one action. A page of the list has fewer."""

_CHUNK = 256 * 1024

_KEYS: Mapping[type[CodedError], str] = {HistoryNotWhole: "documents-differ", errors.SessionNotFound: "gone"}
"""The key in the table `errors` of `web/texts/app.toml` for errors that mean something else for one of many."""

Act = Callable[[Services, Session, AuditContext], Awaitable[object]]
_ACTS: Mapping[str, Act] = {
    "archive": organisation_actions.archive,
    "remind": edit.remind_all,
    "restore": organisation_actions.restore,
}
_REMINDER_KEYS: Mapping[type[CodedError], str] = {
    **_KEYS,
    errors.TooOften: "reminded-lately",
    errors.RecipientNotActive: "not-delivered",
}
"""The keys for `remind`, where `RecipientNotActive` means that the mail server rejected the invitation."""


class Refused(NamedTuple):
    """A session that the action left unchanged, and the reason."""

    session: Session
    reason: str


class BulkResult(NamedTuple):
    """The result of an action: a sentence with the number of sessions that it changed, and the other sessions."""

    text: str
    refused: tuple[Refused, ...]


class _Consequence(NamedTuple):
    """A session, and a text about the effect of the action: who is emailed, or why nothing is done."""

    session: Session
    text: str


@router.get("/download")
async def download_several(
    request: Request, services: InjectedServices, person: CurrentUser, audit: CurrentAudit
) -> Response:
    """Returns a ZIP file with a folder for each completed session, and a text file that lists the others.

    Raises `CrossSiteDownload`.
    """
    if not is_own_request(request):
        raise CrossSiteDownload("/app")
    chosen = await _find_chosen(services, person, request.query_params.getlist("session"))
    if not chosen:
        return redirect_with_flash("/app", error="none-chosen")
    left: list[tuple[Session, str]] = []
    folders: set[str] = set()
    with ExitStack() as until_sent:
        packed = until_sent.enter_context(TemporaryFile())
        with ZipFile(packed, "w", ZIP_STORED) as archive:
            for session in chosen:
                try:
                    files = await collect_files(services, session, audit)
                except CodedError as error:
                    left.append((session, error_key(error, _KEYS)))
                    continue
                folder = free_name(safe_file_name(session.name).removesuffix(".pdf"), folders)
                for name, content in files:
                    await off_loop(len(content), partial(archive.writestr, f"{folder}/{name}", content))
            if left:
                lines = [f"{session.name}: {APP.table('errors')[code]}" for session, code in left]
                archive.writestr(APP.bulk_left_out_file, "\r\n".join([APP.bulk_left_out, "", *lines, ""]))
        if not folders:
            return _redirect("download", 0, left)
        packed.seek(0)
        until_sent.pop_all()  # `_read_all` closes it

    headers = {"Content-Disposition": attachment(APP.bulk_zip_name)}
    return StreamingResponse(_read_all(packed), media_type="application/zip", headers=headers)


@router.api_route("/{act}", methods=READ, dependencies=[WRITERS_ONLY])
async def confirm_act(request: Request, services: InjectedServices, person: CurrentUser, act: str) -> Response:
    """Shows the effect of the action on each chosen session."""
    chosen = await _find_chosen(services, person, request.query_params.getlist("session"))
    if act not in _ACTS or not chosen:
        return redirect_with_flash("/app", error="none-chosen")
    now = datetime.now(UTC)
    consequences = [_consequence_of(session, act, now) for session in chosen]
    title = _counted(APP.table("bulk_titles"), act, len(chosen))
    return render("app/bulk.html", person=person, act=act, title=title, consequences=consequences)


@router.post("/{act}")
async def run_act(services: InjectedServices, posted: InjectedForm, audit: CurrentAudit, act: str) -> Response:
    """Performs the action on each chosen session, and redirects to the list, which shows the result."""
    chosen = await _find_chosen(services, posted.person, posted.form.getlist("session"))
    if act not in _ACTS or not chosen:
        return redirect_with_flash("/app", error="none-chosen")
    left: list[tuple[Session, str]] = []
    for session in chosen:
        try:
            await _ACTS[act](services, session, audit)
        except CodedError as error:
            left.append((session, error_key(error, _REMINDER_KEYS if act == "remind" else _KEYS)))
    return _redirect(act, len(chosen) - len(left), left)


async def read_bulk_result(services: Services, person: SignedInUser, request: Request) -> BulkResult | None:
    """Returns the result in the query of `request`; None if it has none."""
    act, count = request.query_params.get("bulk", ""), request.query_params.get("count", "")
    if act not in {*_ACTS, "download"} or not (count.isascii() and count.isdigit() and len(count) <= len(str(MAX))):
        return None
    codes = dict(left.partition(".")[::2] for left in request.query_params.getlist("left"))
    sessions = await _find_chosen(services, person, list(codes))
    reasons = APP.table("errors")
    refused = [Refused(session, reasons.get(codes[session.session_id], "")) for session in sessions]
    return BulkResult(_counted(APP.table("bulk_done"), act, int(count)), tuple(refused))


async def _find_chosen(services: Services, person: SignedInUser, chosen: Sequence[str]) -> Sequence[Session]:
    found = []
    for session_id in list(dict.fromkeys(chosen))[:MAX]:
        try:
            found.append(await services.reader.get(person.organisation_id, SessionId(session_id)))
        except errors.SessionNotFound:  # deleted meanwhile
            continue
    return found


async def _read_all(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while chunk := await asyncio.to_thread(file.read, _CHUNK):
            yield chunk


def _consequence_of(session: Session, act: str, now: datetime) -> _Consequence:
    if act == "restore":
        return _Consequence(session, APP.table("states")[session.status])
    if act == "remind":
        try:
            return _Consequence(session, _mailed(find_remindable(session, now)))
        except (errors.SessionNotActive, errors.RecipientNotActive, errors.TooOften) as error:
            return _Consequence(session, APP.table("bulk_not_reminded")[error_key(error, _REMINDER_KEYS)])
    mailed = [session.recipient(recipient_id) for recipient_id in withdrawal_mail_recipients(session, now)]
    done = APP.bulk_withdrawn if session.status in OPEN_FOR_SIGNING else APP.bulk_archived
    return _Consequence(session, f"{done} · {_mailed(mailed)}")


def _mailed(recipients: Sequence[Recipient]) -> str:
    names = ", ".join(recipient.name for recipient in recipients)
    return APP.bulk_mailed.format(names=names) if names else APP.bulk_nobody_mailed


def _counted(texts: Mapping[str, str], act: str, number: int) -> str:
    return texts.get(f"{act}_one" if number == 1 else act, texts[act]).replace("{count}", str(number))


def _redirect(act: str, done: int, left: Sequence[tuple[Session, str]]) -> Response:
    refused = [("left", f"{session.session_id}.{code}") for session, code in left]
    return RedirectResponse(f"/app?{urlencode([('bulk', act), ('count', str(done)), *refused])}", HTTPStatus.SEE_OTHER)
