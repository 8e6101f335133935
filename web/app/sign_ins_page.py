"""The sign-ins of the user: in which browsers they are signed in, and buttons to end these sign-ins."""

from datetime import UTC, datetime

from fastapi import Request, Response

from application.scopes import Scope
from domain.ports.administrative_acts import ActKind, Change
from web.app.app_router import app_router
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm
from web.app.responses import flash_message_of, perform
from web.asgi.dependencies import InjectedServices
from web.html_response import render
from web.page_route import READ

router = app_router("/sign-ins", write=Scope.READ_SESSIONS)

_HERE = "/app/sign-ins"


@router.api_route("", methods=READ)
async def show_sign_ins(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    sign_ins = await services.sign_ins.list(person.user.user_id, datetime.now(UTC))
    return render("app/sign-ins.html", person=person, sign_ins=sign_ins, flash=flash_message_of(request))


@router.post("/end")
async def end_sign_ins(services: InjectedServices, posted: InjectedForm, audit: CurrentAudit) -> Response:
    """Ends the sign-in that the form names; all but this one, if it names none."""
    person, named = posted.person, posted.form.get("sign_in", "")
    user_id = person.user.user_id

    async def act() -> None:
        if named:
            await services.sign_ins.end(named, user_id)
        else:
            await services.sign_ins.end_all(user_id, but=person.secret_sha256)
        await services.acts.add(person.organisation_id, audit, Change(ActKind.USER_SIGN_INS_ENDED, user_id))

    return await perform(act(), _HERE, "sign-ins-ended")
