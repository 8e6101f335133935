"""The outbox: the emails of an installation without a mail server, for browsers on the same machine.

The emails contain secret links, so the page exists only for loopback connections to a loopback host, never through a
proxy. The check of the host prevents DNS rebinding.
"""

import asyncio
from ipaddress import ip_address
from math import ceil
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode, urlsplit

from fastapi import Query, Request, Response
from fastapi.responses import HTMLResponse

from application.mail_outbox import OutboxEntry, read_outbox
from application.services import Services
from domain.session.list_query import casefolded
from web.asgi.dependencies import InjectedServices
from web.errors import PageNotFound
from web.html_response import render
from web.page_route import READ, page_router
from web.security_headers import EMAIL_POLICY, POLICY_WITH_FRAME

router = page_router("/outbox")

PAGE_SIZE = 50
"""The number of emails on a page of the list."""

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
async def show_outbox(
    request: Request,
    services: InjectedServices,
    q: Annotated[str, Query(max_length=200)] = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    """Shows the emails whose subject or recipient contains `q`, newest first; raises `PageNotFound`."""
    everything = await _read(outbox_directory(request, services))
    wanted = casefolded(" ".join(q.split()))
    mails = [mail for mail in everything if wanted in casefolded(f"{mail.to} {mail.subject}")]
    pages = max(1, ceil(len(mails) / PAGE_SIZE))
    page = min(page, pages)
    shown = mails[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    addresses = {number: f"/outbox?{urlencode({'q': q, 'page': number})}" for number in (page - 1, page + 1)}
    return render(
        "outbox.html",
        mails=shown,
        total=len(mails),
        is_empty=not everything,
        query=q,
        page=page,
        pages=pages,
        addresses=addresses,
    )


@router.api_route("/{file_name}", methods=READ)
async def show_mail(request: Request, services: InjectedServices, file_name: str) -> Response:
    """Shows the HTML and the text of one email. `file_name` is never used as a path. Raises `PageNotFound`."""
    response = render("mail.html", mail=await _find(request, services, file_name))
    response.headers["Content-Security-Policy"] = POLICY_WITH_FRAME
    return response


@router.api_route("/{file_name}/html", methods=READ)
async def show_html(request: Request, services: InjectedServices, file_name: str) -> Response:
    """Returns the HTML part of an email, for the frame on its page; raises `PageNotFound`."""
    mail = await _find(request, services, file_name)
    page = mail.html.replace("<head>", '<head><base target="_top">', 1)
    headers = {"Content-Security-Policy": EMAIL_POLICY, "X-Frame-Options": "SAMEORIGIN"}
    return HTMLResponse(page, headers=headers)


async def _find(request: Request, services: Services, file_name: str) -> OutboxEntry:
    for mail in await _read(outbox_directory(request, services)):
        if mail.file_name == file_name:
            return mail
    raise PageNotFound


async def _read(directory: Path | None) -> list[OutboxEntry]:
    if directory is None:
        raise PageNotFound
    return await asyncio.to_thread(read_outbox, directory)
