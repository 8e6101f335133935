"""A typed name as it will stand on the pages: the picture that signing would make of it, to be looked at before."""

from base64 import b64encode

from fastapi import Request
from fastapi.responses import JSONResponse

from application.documents.render_jobs import ToPrint, try_printing, write_by_hand
from application.services import Services
from domain.session.normalizers import one_line
from web.form_bodies import read_form
from web.signing.form_validation import CSRF, MAX_SIGNATURE
from web.signing.recipient_access import RecipientAccess, RecipientCookie, RecipientCookies

TEXT = "text"


async def preview_signature(
    request: Request, services: Services, cookie: RecipientCookie, access: RecipientAccess
) -> JSONResponse:
    """`picture` is a data URL; null for what is empty, too long, or cannot be printed.

    Raises:
        FormOutOfDate: the form is not of this cookie.
    """
    form = await read_form(request)
    RecipientCookies(services.keys.cookie, services.base_url).check_form_token(cookie, form.get(CSRF, ""))
    text = one_line(form.get(TEXT, ""))
    picture = None if access.is_signed or len(text) > MAX_SIGNATURE else await _written(services, text)
    return JSONResponse({"picture": f"data:image/png;base64,{b64encode(picture).decode()}" if picture else None})


async def _written(services: Services, text: str) -> bytes | None:
    if not text:
        return None
    (printed,) = await services.pool.run(try_printing, (ToPrint(text, None),))
    if printed.undrawable:
        return None
    (picture,) = await services.pool.run(write_by_hand, (text,))
    return picture
