"""The local outbox: the mails of an installation that sends none."""

import asyncio
from pathlib import Path

from fastapi import Request, Response

from adapters.mail.outbox import OutboxEntry, read_outbox
from api.pages.refusals import NothingHere
from api.pages.rendering import render


async def show_outbox(request: Request, directory: Path | None) -> Response:
    """All mails, newest first."""
    return render(request, "outbox.html", mails=await _read(directory))


async def show_mail(request: Request, directory: Path | None, file_name: str) -> Response:
    """One mail. It is looked for among those that exist: the name is never made a path."""
    for mail in await _read(directory):
        if mail.file_name == file_name:
            return render(request, "mail.html", mail=mail)
    raise NothingHere


async def _read(directory: Path | None) -> list[OutboxEntry]:
    if directory is None:
        raise NothingHere
    return await asyncio.to_thread(read_outbox, directory)
