"""The local outbox: the mails of an installation that sends none, for people at its own machine.

Its mails hold links that sign and that sign in. So it is there for browsers on the machine that asks for nothing but
this machine, and for nobody else: not through a proxy, not under a public address, and not for a page elsewhere whose
name was made to point here.
"""

import asyncio
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import Request, Response

from application.outbox import OutboxEntry, read_outbox
from application.services import Services
from web.errors import PageNotFound
from web.rendering import render

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


def outbox_directory(request: Request, services: Services) -> Path | None:
    """The folder of the outbox, for somebody at this machine; None for everybody else, and where mail really leaves."""
    from_here = request.client is not None and _is_loopback(request.client.host)
    to_here = _is_loopback(request.url.hostname) and _is_loopback(urlsplit(services.base_url).hostname)
    is_forwarded = any(name in request.headers for name in _FORWARDED)
    return services.outbox if from_here and to_here and not is_forwarded else None


def _is_loopback(host: str | None) -> bool:
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


async def show_outbox(request: Request, services: Services) -> Response:
    """All mails, newest first; raises `PageNotFound`."""
    return render(request, "outbox.html", mails=await _read(outbox_directory(request, services)))


async def show_mail(request: Request, services: Services, file_name: str) -> Response:
    """One mail. It is looked for among those that exist: the name is never made a path. Raises `PageNotFound`."""
    for mail in await _read(outbox_directory(request, services)):
        if mail.file_name == file_name:
            return render(request, "mail.html", mail=mail)
    raise PageNotFound


async def _read(directory: Path | None) -> list[OutboxEntry]:
    if directory is None:
        raise PageNotFound
    return await asyncio.to_thread(read_outbox, directory)
