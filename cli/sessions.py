"""`undersign session`: sessions of all organisations, by what they wait for."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from activities.count_stuck_sessions import DESCRIBED_AT_ONCE, MAX_FAILING
from cli.arguments import OnlyOrganisation
from cli.backends import Repositories, on_database, read_settings, refuse_differences
from cli.data_directory import with_running_service
from cli.installation import find_own_facts
from cli.output import AsJson, BackendUnavailable, JsonObject, print_list
from domain.session.session import Session
from domain.session.waiting_cause import waiting_cause
from domain.session.waiting_for import has_pending_effects, waiting_for
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from domain.shared.times import rfc3339
from domain.workflow_ids import session_workflow_id

app = typer.Typer(help="Sessions of all organisations.", no_args_is_help=True)

_COLUMNS = {
    "sessionId": "SESSION",
    "organisationId": "ORGANISATION",
    "cause": "CAUSE",
    "updatedAt": "SINCE",
    "waitingFor": "WAITING FOR",
}

_MAIL_COLUMNS = {
    "sessionId": "SESSION",
    "organisationId": "ORGANISATION",
    "recipient": "RECIPIENT",
    "result": "RESULT",
}

_PAGE = 200


@app.callback()
def _group() -> None:
    """`undersign session list`."""


@app.command(name="list")
@on_database
async def list_(
    database: Repositories,
    stuck: Annotated[bool, typer.Option("--stuck", help="Only sessions in which a step fails or has failed.")] = False,
    organisation: OnlyOrganisation = None,
    as_json: AsJson = False,
) -> None:
    """List the sessions that have a run, with what they wait for and its cause.

    The cause is `run` (the run is lost, or the workers cannot continue
    it), `generation`, `seal`, `mail` (also one that was refused for good),
    or `person`, who signs or approves next. Recipients are named by key.
    """
    from workflows.client.namespace_check import connect_queues
    from workflows.client.runs import connect_runs

    settings = with_running_service(read_settings())
    runs, queues = await connect_runs(settings.temporal), await connect_queues(settings.temporal)
    try:
        failing = {*await queues.failing_runs(MAX_FAILING)}
    except Unavailable as error:
        raise BackendUnavailable("Temporal does not answer. Set UNDERSIGN_TEMPORAL_ADDRESS.") from error
    slots = asyncio.Semaphore(DESCRIBED_AT_ONCE)

    async def row(session: Session) -> JsonObject | None:
        async with slots:
            retries = await runs.retries(session.session_id) if has_pending_effects(session) else ()
        is_failing = session_workflow_id(session.session_id) in failing
        cause, is_stuck = waiting_cause(session, retries, has_failing_run=is_failing)
        if stuck and not is_stuck:
            return None
        return {
            "sessionId": session.session_id,
            "organisationId": session.organisation_id,
            "cause": cause.value,
            "updatedAt": rfc3339(session.updated_at),
            "waitingFor": _FAILING if is_failing else waiting_for(session, retries, by_key=True),
        }

    rows: list[JsonObject] = []
    after = SessionId("")
    while True:
        page, after = await database.sessions.with_runs(after, _PAGE)
        chosen = [session for session in page if organisation in {None, session.organisation_id}]
        rows += [found for found in await asyncio.gather(*map(row, chosen)) if found is not None]
        if not after:
            break
    print_list("sessions", rows, _COLUMNS, as_json=as_json)


@app.command()
@on_database
async def resend(
    database: Repositories,
    days: Annotated[int, typer.Option(min=1, help="Only sessions that changed within so many days.")] = 7,
    organisation: OnlyOrganisation = None,
    apply: Annotated[bool, typer.Option("--apply", help="Send them; otherwise they are only listed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Send the mails again that the mail server refused for good.

    For a fault of the service, such as a quota, wrong DNS or a block
    list. Each mail goes to the same address as before: an invitation with
    a new link, or the mail about the end. Recipients are named by key.
    """
    from application.session_actions import SessionActions
    from application.sessions.resend import find_refused
    from application.sessions.resend import resend as send_again
    from workflows.client.runs import connect_runs

    settings, now = with_running_service(read_settings()), datetime.now(UTC)
    refuse_differences(await database.installation.read(), await find_own_facts(settings))
    names = [organisation] if organisation else [one.organisation_id for one in await database.organisations.list()]
    found = [one async for one in find_refused(database.sessions, names, now - timedelta(days=days))]
    actions = SessionActions(await connect_runs(settings.temporal), database.sessions)
    rows: list[JsonObject] = []
    for session, recipient in found:
        result = "refused"
        if apply:
            try:
                result = await send_again(actions, session, recipient, datetime.now(UTC)) or "sent again"
            except Unavailable as error:
                raise BackendUnavailable(
                    f"Temporal or a worker does not answer; the command ended after {len(rows)} of {len(found)} mails. "
                    "Repeat it for the others."
                ) from error
        keys = {"sessionId": session.session_id, "organisationId": session.organisation_id}
        rows.append({**keys, "recipient": recipient.key, "result": result})
    print_list("mails", rows, _MAIL_COLUMNS, as_json=as_json)
    if rows and not apply and not as_json:
        print("Nothing was sent; --apply sends these mails again.")


_FAILING = "The workers cannot continue its run; see docs/workflow-changes.md."
