"""The page *Appearance*: the logo, accent colour, sender name and legal links of the organisation, with examples."""

from collections.abc import Mapping
from dataclasses import asdict, replace

from fastapi import Request, Response

from application.appearance_form import AppearanceForm, adjusted_accents, check_appearance, read_logo
from application.services import Services
from domain.audit.events import AuditContext
from domain.ports.administrative_acts import ActKind, differing
from domain.ports.sender_identity import SenderIdentity
from domain.shared.object_names import digest
from web.app.app_router import administration_router
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm, InjectedUpload, SignedInUser
from web.app.responses import NO_PROBLEMS, FlashMessage, flash_message_of, redirect_with_flash, render_form
from web.asgi.dependencies import InjectedServices
from web.errors import OUTAGES
from web.page_route import READ
from web.sender_identity import style_address, view_sender
from web.texts import APP

router = administration_router("/appearance")

_HERE = "/app/organisation/appearance"
_DEFAULT_ACCENT = "#0d665f"


@router.api_route("", methods=READ)
async def show_appearance(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    identity = await services.identities.find(person.organisation_id)
    return _page(person, identity, _entered(identity), flash=flash_message_of(request))


@router.post("")
async def save_appearance(services: InjectedServices, posted: InjectedForm, audit: CurrentAudit) -> Response:
    """Stores the settings, or shows the page again with all problems."""
    person, form = posted.person, posted.form
    entered = AppearanceForm(**{name: form.get(name, "") for name in asdict(AppearanceForm())})
    checked = check_appearance(entered)
    identity = await services.identities.find(person.organisation_id)
    if checked.problems:
        return _page(person, identity, entered, problems=dict(checked.problems))
    try:
        await _store(services, person, audit, replace(checked.identity, logo=identity.logo))
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return redirect_with_flash(_HERE, done="appearance")


@router.post("/logo")
async def save_logo(services: InjectedServices, upload: InjectedUpload, audit: CurrentAudit) -> Response:
    """Stores the uploaded logo, or shows the page again with the problem."""
    person = upload.person
    identity = await services.identities.find(person.organisation_id)
    problem = "" if upload.content else APP.logo_missing
    try:
        if upload.content:
            logo, problem = await read_logo(services.quarantine, upload.content)
            identity = replace(identity, logo=logo or identity.logo)
        if problem:
            return _page(person, identity, _entered(identity), problems={"file": problem})
        await _store(services, person, audit, identity)
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return redirect_with_flash(_HERE, done="logo")


@router.post("/logo/remove")
async def remove_logo(services: InjectedServices, posted: InjectedForm, audit: CurrentAudit) -> Response:
    person = posted.person
    try:
        identity = await services.identities.find(person.organisation_id)
        await _store(services, person, audit, replace(identity, logo=None))
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return redirect_with_flash(_HERE, done="logo-removed")


async def _store(services: Services, person: SignedInUser, audit: AuditContext, identity: SenderIdentity) -> None:
    """Stores the appearance, and records what differs."""
    owner = person.organisation_id
    before = await services.identities.find(owner)
    await services.identities.store(owner, identity)
    change = differing(ActKind.ORGANISATION_CHANGED, owner, _recorded(before), _recorded(identity))
    await services.acts.add(owner, audit, change)


def _recorded(identity: SenderIdentity) -> dict[str, object]:
    """Returns the members of the record. A logo is stated by its hash."""
    logo = digest(identity.logo.content) if identity.logo else None
    return {**{name: getattr(identity, name) for name in asdict(AppearanceForm())}, "logo": logo}


def _entered(identity: SenderIdentity) -> AppearanceForm:
    return AppearanceForm(**{name: getattr(identity, name) or "" for name in asdict(AppearanceForm())})


def _page(
    person: SignedInUser,
    identity: SenderIdentity,
    entered: AppearanceForm,
    problems: Mapping[str, str] = NO_PROBLEMS,
    flash: FlashMessage | None = None,
) -> Response:
    organisation = person.organisation
    accent = identity.accent or _DEFAULT_ACCENT
    view = view_sender(organisation.organisation_id, organisation.name, identity)
    return render_form(
        "app/appearance.html",
        problems,
        person=person,
        entered=entered,
        example=view,
        example_style=style_address(accent, "example"),
        adjusted=adjusted_accents(accent) if identity.accent else (None, None),
        default_accent=_DEFAULT_ACCENT,
        flash=flash,
    )
