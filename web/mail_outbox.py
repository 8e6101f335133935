"""The outbox: the emails of an installation that sends none, for browsers on the same machine.

The emails hold secret links. So the page exists only for loopback connections to a loopback host, never through a
proxy. This excludes sites whose name is rebound to this machine.
"""

import asyncio
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import Request, Response

from application.mail_outbox import OutboxEntry, read_outbox
from application.services import Services
from asgi.dependencies import InjectedServices
from web.errors import PageNotFound
from web.html_response import render
from web.page_route import READ, page_router

router = page_router("/outbox")

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


def outbox_directory(request: Request, services: Services) -> Path | None:
    """Returns the folder of the outbox; None for remote visitors, and on an installation that sends email."""
    from_here = request.client is not None and _is_loopback(request.client.host)
    to_here = _is_loopback(request.url.hostname) and _is_loopback(urlsplit(services.base_url).hostname)
    is_forwarded = any(name in request.headers for name in _FORWARDED)
    return services.outbox if from_here and to_here and not is_forwarded else None


def _is_loopback(host: str | None) -> bool:
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


@router.api_route("", methods=READ)
async def show_outbox(request: Request, services: InjectedServices) -> Response:
    """Shows all emails, newest first; raises `PageNotFound`."""
    return render("outbox.html", mails=await _read(outbox_directory(request, services)))


@router.api_route("/{file_name}", methods=READ)
async def show_mail(request: Request, services: InjectedServices, file_name: str) -> Response:
    """Shows one email. Its name is never used as a path. Raises `PageNotFound`."""
    for mail in await _read(outbox_directory(request, services)):
        if mail.file_name == file_name:
            return render("mail.html", mail=mail)
    raise PageNotFound


async def _read(directory: Path | None) -> list[OutboxEntry]:
    if directory is None:
        raise PageNotFound
    return await asyncio.to_thread(read_outbox, directory)
