"""How an organisation appears on recipients' pages: a bar, its accent colour and its legal links.

The policy forbids inline styles, so the colour is in the address of a style sheet, and the logo has an address with the
hash of its content.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fastapi import APIRouter, HTTPException, Response

from application.accent_colours import Shades, accent_colours
from application.services import Services
from asgi.dependencies import InjectedServices
from domain.session.session import Session
from domain.shared.ids import OrganisationId, is_identifier
from domain.shared.object_names import digest
from ports.sender_identity import NO_IDENTITY, Logo, SenderIdentity

_FINGERPRINT = 16
_COLOUR = re.compile(r"[0-9a-f]{6}", re.ASCII)
_SECURITY = {"X-Content-Type-Options": "nosniff"}
_LOGO_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable", **_SECURITY}
_STYLE_HEADERS = {"Cache-Control": "public, max-age=86400", **_SECURITY}

router = APIRouter()


@dataclass(frozen=True, slots=True)
class LogoView:
    address: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class SenderView:
    """What a page shows of an organisation. `style` is the address of its colours.

    `has_bar`: it has more than legal links.
    """

    name: str
    logo: LogoView | None
    style: str | None
    imprint_url: str | None
    privacy_url: str | None
    has_bar: bool


async def find_sender(services: Services, session: Session) -> SenderView | None:
    """Returns how the organisation of `session` appears; None if it has set nothing. Raises `DatabaseUnavailable`."""
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
    address = f"/logos/{organisation_id}/{digest(logo.content)[:_FINGERPRINT]}.png"
    return LogoView(address, logo.width, logo.height)


@router.get("/logos/{organisation_id}/{fingerprint}.png", include_in_schema=False)
async def read_logo(services: InjectedServices, organisation_id: OrganisationId, fingerprint: str) -> Response:
    """Returns the logo, if it is still the one with that fingerprint."""
    identity = await services.identities.find(organisation_id) if is_identifier(organisation_id) else NO_IDENTITY
    if identity.logo is None or digest(identity.logo.content)[:_FINGERPRINT] != fingerprint:
        raise HTTPException(404)
    return Response(identity.logo.content, media_type="image/png", headers=_LOGO_HEADERS)


@router.get("/accents/{colour}/page.css", include_in_schema=False)
async def read_page_style(colour: str) -> Response:
    """Returns the colours of a page, from the accent colour in the address."""
    light, dark = accent_colours(_checked(colour))
    rules = (
        f":root {{ {_variables(light)} }}",
        f"@media (prefers-color-scheme: dark) {{ :root {{ {_variables(dark)} }} }}",
    )
    return _style(rules)


@router.get("/accents/{colour}/example.css", include_in_schema=False)
async def read_example_style(colour: str) -> Response:
    """Returns the same colours for the two examples on the page "Appearance"."""
    light, dark = accent_colours(_checked(colour))
    return _style((f".example.light {{ {_variables(light)} }}", f".example.dark {{ {_variables(dark)} }}"))


def _checked(colour: str) -> str:
    if not _COLOUR.fullmatch(colour):
        raise HTTPException(404)
    return f"#{colour}"


def _variables(shades: Shades) -> str:
    return "; ".join(_declarations(shades))


def _declarations(shades: Shades) -> Iterator[str]:
    for name, value in shades._asdict().items():
        yield f"--{name.replace('_', '-')}: {value}"


def _style(rules: tuple[str, ...]) -> Response:
    return Response("".join(f"{rule}\n" for rule in rules), media_type="text/css", headers=_STYLE_HEADERS)
