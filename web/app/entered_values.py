"""What recipients entered, as a table and as a CSV file. The first read by a user is in the history."""

import csv
import re
from io import StringIO
from pathlib import PurePath

from fastapi import Response

from application.schemas.values import ValueRead
from application.scopes import Scope
from application.sessions.download import read_values
from domain.shared.file_names import attachment, safe_file_name
from web.app.app_router import app_router
from web.app.current_user import CurrentAudit, CurrentUser
from web.app.downloads import OwnRequestsOnly
from web.app.session_page import OwnSession
from web.asgi.dependencies import InjectedServices
from web.html_response import render
from web.texts import APP

router = app_router("/sessions/{session_id}", read=Scope.READ_VALUES)
router.dependencies.append(OwnRequestsOnly)

_NO_FORMULA = re.compile(r"[-+]?[\d .,]*|[^-+=@\t\r].*", re.DOTALL)
"""Cells that spreadsheets do not take for a formula."""


@router.get("/values")
async def show_values(
    services: InjectedServices, person: CurrentUser, session: OwnSession, audit: CurrentAudit
) -> Response:
    values, recipients = await read_values(services, session, audit), {r.recipient_id: r for r in session.recipients}
    return render("app/values.html", person=person, session=session, values=values, recipients=recipients, shown=shown)


@router.get("/values.csv")
async def download_values(services: InjectedServices, session: OwnSession, audit: CurrentAudit) -> Response:
    """Returns a row for each value, in UTF-8 with a byte order mark, by which spreadsheets recognise it."""
    values, recipients = await read_values(services, session, audit), {r.recipient_id: r for r in session.recipients}
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(APP.table("value_columns").values())
    for file in values.files:
        for value in file.values:
            who, at = recipients[value.recipient_id], f"{value.completed_at:%Y-%m-%d %H:%M:%S}"
            writer.writerow(map(as_cell, (file.file_name, value.label, shown(value), who.name, who.email, at)))
    name = f"{PurePath(safe_file_name(session.name)).stem}.csv"
    return Response(
        written.getvalue().encode("utf-8-sig"), media_type="text/csv", headers={"Content-Disposition": attachment(name)}
    )


def shown(value: ValueRead) -> str:
    """Returns the value as the table shows it: as printed; a checkbox as *Yes*, *No* or the ticked options."""
    if value.text is not None:
        return value.text
    if isinstance(value.value, bool):
        return APP.yes if value.value else APP.no
    return ", ".join(value.value) if isinstance(value.value, tuple) else ""


def as_cell(text: str) -> str:
    """Returns the text, with an apostrophe before one that a spreadsheet would take for a formula."""
    return text if _NO_FORMULA.fullmatch(text) else f"'{text}"
