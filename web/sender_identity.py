"""The identity of an organisation on recipients' pages: a bar, its accent colour and its legal links.

The content security policy forbids inline styles, so the colour is in the address of a style sheet. The address of the
logo contains the hash of its content.
"""

from dataclasses import dataclass

from application.services import Services
from domain.ports.sender_identity import NO_IDENTITY, Logo, SenderIdentity
from domain.session.session import Session
from domain.shared.ids import OrganisationId
from domain.shared.object_names import digest

_FINGERPRINT = 16


@dataclass(frozen=True, slots=True)
class LogoView:
    address: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class SenderView:
    """The identity of an organisation on a page. `style` is the address of the style sheet with its colours.

    `has_bar`: the identity has more than legal links.
    """

    name: str
    logo: LogoView | None
    style: str | None
    imprint_url: str | None
    privacy_url: str | None
    has_bar: bool


async def find_sender(services: Services, session: Session) -> SenderView | None:
    """Returns the identity of the organisation of `session`; None if it has none. Raises `DatabaseUnavailable`."""
    identity = await services.identities.find(session.organisation_id)
    return view_sender(session.organisation_id, session.organisation_name, identity)


def view_sender(organisation_id: OrganisationId, name: str, identity: SenderIdentity) -> SenderView | None:
    if identity == NO_IDENTITY:
        return None
    return SenderView(
        name=identity.sender_name or name,
        logo=_view_logo(organisation_id, identity.logo) if identity.logo else None,
        style=style_address(identity.accent) if identity.accent else None,
        imprint_url=identity.imprint_url,
        privacy_url=identity.privacy_url,
        has_bar=bool(identity.logo or identity.sender_name or identity.accent),
    )


def style_address(accent: str, kind: str = "page") -> str:
    return f"/accents/{accent.removeprefix('#')}/{kind}.css"


def _view_logo(organisation_id: OrganisationId, logo: Logo) -> LogoView:
    return LogoView(f"/logos/{organisation_id}/{fingerprint_of(logo)}.png", logo.width, logo.height)


def fingerprint_of(logo: Logo) -> str:
    """Returns the part of a logo's address that changes with its content."""
    return digest(logo.content)[:_FINGERPRINT]
