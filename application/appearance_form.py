"""Sets how an organisation appears to recipients, from the app and the command line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from application.accent_colours import accent_colours
from application.read_entries import InvalidEntry, read_line
from application.uploads.sanitize_image import ImageUnreadable, fit_logo
from domain.ports.process_pool import ProcessDied, ProcessPool
from domain.ports.sender_identity import NO_IDENTITY, Logo, SenderIdentity
from domain.session.value_parsers import one_line

MAX_LOGO = 5_000_000
"""Maximum bytes of an uploaded logo."""

MAX_NAME = 100
MAX_URL = 500

_COLOUR = re.compile(r"#?([0-9a-fA-F]{6})", re.ASCII)
_ADDRESS = re.compile(r"https://[!#-&(-;=?-Z\]_a-z~\[]+", re.ASCII)

_COLOUR_WRONG = "Write the colour as six hexadecimal digits, such as #0d665f."
_NAME_TOO_LONG = f"Shorten the name to {MAX_NAME} characters."
_ADDRESS_WRONG = "Enter a full address that begins with https://."
_ADDRESS_TOO_LONG = f"Shorten the address to {MAX_URL} characters."
_LOGO_TOO_LARGE = "The picture has more than 5 MB. Make it smaller."
_LOGO_TOO_COSTLY = "The picture takes more time or memory to read than it may. Save it again, with fewer pixels."


@dataclass(frozen=True, slots=True)
class AppearanceForm:
    """The texts as they were entered. An empty text means that the value is not set."""

    accent: str = ""
    sender_name: str = ""
    imprint_url: str = ""
    privacy_url: str = ""


@dataclass(frozen=True, slots=True)
class CheckedAppearance:
    """The identity without its logo, or the problems by the name of the input."""

    identity: SenderIdentity = NO_IDENTITY
    problems: Mapping[str, str] = field(default_factory=dict)


def check_appearance(form: AppearanceForm) -> CheckedAppearance:
    """Returns the identity in `form`, or all its problems."""
    written, name = form.accent.strip(), " ".join(one_line(form.sender_name).split())
    colour = _COLOUR.fullmatch(written)
    links = {"imprint_url": form.imprint_url.strip(), "privacy_url": form.privacy_url.strip()}
    problems = {key: problem for key, address in links.items() if (problem := _address_problem(address))}
    if written and not colour:
        problems["accent"] = _COLOUR_WRONG
    try:
        name = read_line(name, MAX_NAME) if name else ""
    except InvalidEntry as error:
        problems["sender_name"] = _NAME_TOO_LONG if len(name) > MAX_NAME else str(error)
    if problems:
        return CheckedAppearance(problems=problems)
    return CheckedAppearance(
        SenderIdentity(
            sender_name=name or None,
            accent=f"#{colour[1].lower()}" if colour else None,
            imprint_url=links["imprint_url"] or None,
            privacy_url=links["privacy_url"] or None,
        )
    )


def _address_problem(address: str) -> str | None:
    if not address:
        return None
    try:
        is_whole = bool(_ADDRESS.fullmatch(address) and urlsplit(address).hostname)
    except ValueError:
        is_whole = False
    if not is_whole:
        return _ADDRESS_WRONG
    return _ADDRESS_TOO_LONG if len(address) > MAX_URL else None


async def read_logo(pool: ProcessPool, upload: bytes) -> tuple[Logo | None, str]:
    """Returns the logo in an uploaded picture, read in a child process, or the problem. Raises `PoolBusy`."""
    if len(upload) > MAX_LOGO:
        return None, _LOGO_TOO_LARGE
    try:
        return await pool.run(fit_logo, upload), ""
    except ImageUnreadable as error:
        return None, str(error)
    except ProcessDied:
        return None, _LOGO_TOO_COSTLY


def adjusted_accents(accent: str) -> tuple[str | None, str | None]:
    """Returns the colours that light and dark pages show instead of `accent`; None where it is easy to read."""
    light, dark = (shades.accent for shades in accent_colours(accent))
    return (light if light != accent else None, dark if dark != accent else None)
