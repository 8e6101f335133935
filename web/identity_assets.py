"""The logos of organisations, and style sheets with their accent colours (`web.sender_identity`)."""

import re
from collections.abc import Iterator

from fastapi import APIRouter, HTTPException, Response

from application.accent_colours import Shades, accent_colours
from domain.ports.sender_identity import NO_IDENTITY
from domain.shared.ids import OrganisationId, is_identifier
from web.asgi.dependencies import InjectedServices
from web.errors import PageNotFound
from web.page_route import READ, page_router
from web.sender_identity import fingerprint_of

_COLOUR = re.compile(r"[0-9a-f]{6}", re.ASCII)
_LOGO_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}
_STYLE_HEADERS = {"Cache-Control": "public, max-age=86400", "X-Content-Type-Options": "nosniff"}

logos = page_router("/logos")
"""Counted for rate limits, because requests without a sign-in read logos from the database."""

router = APIRouter()


@logos.api_route("/{organisation_id}/{fingerprint}.png", methods=READ)
async def read_logo(services: InjectedServices, organisation_id: OrganisationId, fingerprint: str) -> Response:
    """Returns the logo. Raises `PageNotFound` if the present logo has another fingerprint."""
    identity = await services.identities.find(organisation_id) if is_identifier(organisation_id) else NO_IDENTITY
    if identity.logo is None or fingerprint_of(identity.logo) != fingerprint:
        raise PageNotFound
    return Response(identity.logo.content, media_type="image/png", headers=_LOGO_HEADERS)


@router.get("/accents/{colour}/page.css", include_in_schema=False)
async def read_page_style(colour: str) -> Response:
    """Returns the style sheet with the colours of a page, derived from the accent colour in the address."""
    light, dark = accent_colours(_checked(colour))
    rules = (
        f":root {{ {_variables(light)} }}",
        f"@media (prefers-color-scheme: dark) {{ :root {{ {_variables(dark)} }} }}",
    )
    return _style(rules)


@router.get("/accents/{colour}/example.css", include_in_schema=False)
async def read_example_style(colour: str) -> Response:
    """Returns the style sheet with these colours for the two examples on the page *Appearance*."""
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
