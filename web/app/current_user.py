"""The signed-in user, and the token that their forms carry.

The cookie holds only a secret. Every request looks up the row with its hash, the user and the organisation, so signing
out and disabling a user take effect at once.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated

from fastapi import Depends, Request
from itsdangerous import Signer

from asgi.client_address import audit_context_of
from asgi.dependencies import InjectedServices
from domain.audit.events import Actor, ActorKind, AuditContext
from domain.shared.ids import OrganisationId
from domain.shared.key_lists import oldest_first
from domain.shared.object_names import digest
from ports.database import Organisation, User
from web.errors import FormOutOfDate, SignInRequired
from web.form_bodies import PostedForm, check_same_origin, read_form

FORM_TOKEN = "form"  # noqa: S105  # the name of an input
"""The input that every form of the app carries."""


@dataclass(frozen=True, slots=True)
class SignedInUser:
    """A user who is signed in. `form_token` is the token that the forms of this sign-in carry."""

    user: User
    organisation: Organisation
    secret_sha256: str
    form_token: str

    @property
    def organisation_id(self) -> OrganisationId:
        return self.organisation.organisation_id

    def audit(self, request: Request) -> AuditContext:
        """Returns the audit context of this request, at the current time."""
        return audit_context_of(request, Actor(kind=ActorKind.USER, id=self.user.user_id))


def cookie_name(base_url: str) -> str:
    # Browsers accept the prefix with Secure only, and Secure over https only.
    return "__Host-undersign-app" if base_url.startswith("https:") else "undersign-app"


async def find_signed_in_user(request: Request, services: InjectedServices) -> SignedInUser | None:
    """Returns the signed-in user; None without one."""
    secret = request.cookies.get(cookie_name(services.base_url), "")
    if not secret:
        return None
    kept = digest(secret.encode())
    member = await services.sign_ins.find(kept, datetime.now(UTC))
    if member is None:
        return None
    return SignedInUser(*member, kept, _forms(services.keys.cookie).get_signature(kept).decode())


async def get_signed_in_user(request: Request, services: InjectedServices) -> SignedInUser:
    """Returns the signed-in user; raises `SignInRequired`."""
    person = await find_signed_in_user(request, services)
    if person is None:
        raise SignInRequired
    return person


@dataclass(frozen=True, slots=True)
class UserForm:
    """A form of the app, and the user who posted it."""

    person: SignedInUser
    form: PostedForm


async def read_user_form(request: Request, services: InjectedServices) -> UserForm:
    """Returns the posted form and the signed-in user.

    Raises:
        CrossSitePost: another site made the browser post.
        SignInRequired: nobody is signed in.
        FormOutOfDate: the form was made for another sign-in.
        NotAForm: the body is no form.
        FormTooLarge: the body exceeds the limit.
    """
    check_same_origin(request, services.base_url)
    person = await get_signed_in_user(request, services)
    form = await read_form(request)
    if not _forms(services.keys.cookie).verify_signature(person.secret_sha256, form.get(FORM_TOKEN, "")):
        raise FormOutOfDate
    return UserForm(person, form)


def _forms(key: bytes) -> Signer:
    return Signer(oldest_first(key), salt="undersign.app.form", key_derivation="hmac", digest_method=sha256)


CurrentUser = Annotated[SignedInUser, Depends(get_signed_in_user)]
"""The signed-in user; without one, a redirect to the sign-in page."""

InjectedForm = Annotated[UserForm, Depends(read_user_form)]
"""A form that the signed-in user has posted."""
