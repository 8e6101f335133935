"""The signed-in user, and the token of each form.

A token has a random part and a signature for the sign-in. The signature protects from posts by other sites. The random
part names the form that was opened: posted twice it takes effect once, and two forms with equal content are two.

The cookie contains only a secret. Every request looks up the row with its hash, the user and the organisation, so
signing out, and all that ends the credentials of a user, take effect at once.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import token_urlsafe
from typing import Annotated
from uuid import UUID, uuid5

from fastapi import Depends, Request
from itsdangerous import Signer
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from application.caller import Caller
from application.idempotency import Attempt
from application.role_rights import RIGHTS
from domain.audit.events import Actor, ActorKind, AuditContext
from domain.ports.database import Organisation, User
from domain.ports.process_pool import run_jobs_for
from domain.ports.sign_ins import SignIn
from domain.shared.ids import ClientId, OrganisationId
from domain.shared.key_files import SIGNING, oldest_first
from domain.shared.object_names import digest
from web.app.app_cookies import cookie_name
from web.app.posted_once import OpenedForm
from web.asgi.client_address import audit_context_of
from web.asgi.dependencies import InjectedServices
from web.asgi.json_body import media_type_of
from web.errors import FormOutOfDate, NotAForm, SignInRequired
from web.forms import PostedForm, read_form
from web.page_route import check_origin

FORM_TOKEN = "form"  # noqa: S105  # the name of an input
"""The name of the input with the token, which every form of the app has."""

_RANDOM_BYTES = 16


@dataclass(frozen=True, slots=True)
class SignedInUser:
    """A user who is signed in. `form_token` is the token of the forms of this response."""

    user: User
    organisation: Organisation
    sign_in: SignIn
    form_token: str

    @property
    def secret_sha256(self) -> str:
        return self.sign_in.secret_sha256

    @property
    def organisation_id(self) -> OrganisationId:
        return self.organisation.organisation_id

    def may(self, right: str) -> bool:
        """Returns whether the role of the user has `right`: a scope, or `application.role_rights.ADMINISTER`."""
        return right in RIGHTS[self.user.role]


async def find_signed_in_user(request: Request, services: InjectedServices) -> SignedInUser | None:
    """Returns the signed-in user, who owns the jobs of the request; None without one."""
    secret = request.cookies.get(cookie_name(services.base_url), "")
    if not secret:
        return None
    secret_sha256 = digest(secret.encode())
    found = await services.sign_ins.find(secret_sha256, datetime.now(UTC))
    if found is None:
        return None
    member, sign_in = found
    run_jobs_for(member.organisation.organisation_id, member.user.user_id)
    form_token = _make_token(services.keys.cookie, secret_sha256, token_urlsafe(_RANDOM_BYTES))
    return SignedInUser(member.user, member.organisation, sign_in, form_token)


async def get_signed_in_user(request: Request, services: InjectedServices) -> SignedInUser:
    """Returns the signed-in user; raises `SignInRequired`."""
    person = await find_signed_in_user(request, services)
    if person is None:
        raise SignInRequired
    return person


CurrentUser = Annotated[SignedInUser, Depends(get_signed_in_user)]
"""The signed-in user. Without one, the request is redirected to the sign-in page."""


async def get_audit(request: Request, person: CurrentUser) -> AuditContext:
    return audit_context_of(request, Actor(kind=ActorKind.USER, id=person.user.user_id))


CurrentAudit = Annotated[AuditContext, Depends(get_audit)]
"""The audit context of the request, with the signed-in user as its actor."""


async def get_caller(person: CurrentUser, audit: CurrentAudit) -> Caller:
    """Returns the signed-in user as the caller of a use case."""
    user, generation = person.user, person.sign_in.generation
    return Caller(ClientId(user.user_id), person.organisation_id, audit, RIGHTS[user.role], generation)


CurrentCaller = Annotated[Caller, Depends(get_caller)]


@dataclass(frozen=True, slots=True)
class UserForm:
    """A form of the app, and the user who posted it. `attempt` is the same each time the opened form is posted."""

    person: SignedInUser
    form: PostedForm
    attempt: Attempt


async def read_user_form(
    request: Request,
    services: InjectedServices,
    _: Annotated[None, Depends(check_origin)],  # before the sign-in is checked
    person: CurrentUser,
) -> UserForm:
    """Returns the posted form and the signed-in user; raises `FormOutOfDate` for a form of another sign-in."""
    form = await read_form(request)
    _check_token(services.keys.cookie, person, form.get(FORM_TOKEN, ""))
    return UserForm(person, form, _attempt_of(person, request.url.path, form))


@dataclass(frozen=True, slots=True)
class UserUpload:
    """A form with a file, and the user who posted it. `content` is empty if no file was chosen."""

    person: SignedInUser
    content: bytes


async def read_user_upload(
    request: Request,
    services: InjectedServices,
    _: Annotated[None, Depends(check_origin)],  # before the sign-in is checked
    person: CurrentUser,
) -> UserUpload:
    """Returns the posted file and the signed-in user; raises `NotAForm`, or `FormOutOfDate` as `read_user_form`."""
    if media_type_of(request) != "multipart/form-data":
        raise NotAForm
    try:
        async with request.form(max_files=1, max_fields=1) as form:
            token, file = form.get(FORM_TOKEN, ""), next(iter(form.getlist("file")), None)
            content = await file.read() if isinstance(file, UploadFile) else b""
    except HTTPException as error:
        raise NotAForm from error
    _check_token(services.keys.cookie, person, token if isinstance(token, str) else "")
    return UserUpload(person, content)


def _make_token(key: bytes, secret_sha256: str, random: str) -> str:
    signature = _forms(key).get_signature(f"{secret_sha256} {random}").decode()
    return f"{random}.{signature}"


def _check_token(key: bytes, person: SignedInUser, token: str) -> None:
    """Raises `FormOutOfDate` for the token of another sign-in."""
    random, _, signature = token.partition(".")
    if not _forms(key).verify_signature(f"{person.secret_sha256} {random}", signature):
        raise FormOutOfDate


def _attempt_of(person: SignedInUser, path: str, form: PostedForm) -> Attempt:
    """Returns the attempt for an opened form. A form that is changed and posted again is another request."""
    posted = digest(json.dumps([path, form.multi_items()]).encode())
    return Attempt(uuid5(UUID(person.organisation_id), posted), is_keyed=True, is_repeated=True)


def _forms(key: bytes) -> Signer:
    return Signer(oldest_first(key), salt="undersign.app.form", **SIGNING)


async def read_form_once(
    request: Request, services: InjectedServices, read: Annotated[UserForm, Depends(read_user_form)]
) -> UserForm:
    """Returns the form as `read_user_form`. Raises `FormAnswered` if it was posted before, and took effect."""
    opened = OpenedForm(services.idempotency_keys, read.person.organisation_id, str(read.attempt.update_id))
    await opened.claim()
    request.state.opened_form = opened  # `AppRoute` stores the result
    return read


InjectedForm = Annotated[UserForm, Depends(read_form_once)]
PreviewForm = Annotated[UserForm, Depends(read_user_form)]
"""A form that only shows something."""
InjectedUpload = Annotated[UserUpload, Depends(read_user_upload)]
