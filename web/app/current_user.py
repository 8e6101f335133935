"""Who is signed in, and what a form that they post has to carry.

The cookie holds a secret and nothing else. The row with its hash is looked up on every request, with the person and the
organisation, so signing out, or disabling a person, ends it at once.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated

from fastapi import Depends, Request
from itsdangerous import Signer

from asgi.audit_context import audit_context_of
from asgi.dependencies import InjectedServices
from domain.audit.events import Actor, ActorKind, AuditContext
from domain.shared.ids import OrganisationId
from domain.shared.key_lists import oldest_first
from domain.shared.object_names import digest
from ports.database import Organisation, User
from web.app.errors import SignInRequired
from web.errors import FormOutOfDate
from web.form_bodies import PostedForm, check_same_origin, read_form

FORM_TOKEN = "form"  # noqa: S105  # the name of an input
"""The input that every form of the app carries."""


@dataclass(frozen=True, slots=True)
class SignedInUser:
    """Who is signed in, in one browser. `form_token` is what forms of this sign-in carry."""

    user: User
    organisation: Organisation
    secret_sha256: str
    form_token: str

    @property
    def organisation_id(self) -> OrganisationId:
        return self.organisation.organisation_id

    def audit(self, request: Request) -> AuditContext:
        """This request, now, as an act of theirs."""
        return audit_context_of(request, Actor(kind=ActorKind.USER, id=self.user.user_id))


def cookie_name(base_url: str) -> str:
    # Browsers accept the prefix with Secure only, and Secure over https only.
    return "__Host-undersign-app" if base_url.startswith("https:") else "undersign-app"


async def find_signed_in_user(request: Request, services: InjectedServices) -> SignedInUser | None:
    """Who is signed in, if anybody."""
    secret = request.cookies.get(cookie_name(services.base_url), "")
    if not secret:
        return None
    kept = digest(secret.encode())
    member = await services.sign_ins.find(kept, datetime.now(UTC))
    if member is None:
        return None
    return SignedInUser(*member, kept, _forms(services.keys.cookie).get_signature(kept).decode())


async def get_signed_in_user(request: Request, services: InjectedServices) -> SignedInUser:
    """Who is signed in; raises `SignInRequired`."""
    person = await find_signed_in_user(request, services)
    if person is None:
        raise SignInRequired
    return person


@dataclass(frozen=True, slots=True)
class UserForm:
    """A form of ours, and who posted it."""

    person: SignedInUser
    form: PostedForm


async def read_user_form(request: Request, services: InjectedServices) -> UserForm:
    """The form that somebody who is signed in has posted from one of our pages.

    Raises:
        CrossSitePost: another site made the browser post.
        SignInRequired: nobody is signed in.
        FormOutOfDate: the form was made for another sign-in.
        NotAForm: it is no form.
        FormTooLarge: it is larger than any of ours.
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
"""Who is signed in; nobody: the way to sign in."""

InjectedForm = Annotated[UserForm, Depends(read_user_form)]
"""A form that somebody who is signed in has posted."""
