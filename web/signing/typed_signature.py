"""The preview of a typed signature: the image that signing would create."""

from base64 import b64encode

from fastapi import Request
from fastapi.responses import JSONResponse

from application.documents.render_jobs import ZoneText, check_text_fits, render_typed_signatures
from application.services import Services
from domain.session.normalizers import one_line
from web.form_bodies import read_form
from web.signing.form_validation import CSRF, MAX_SIGNATURE
from web.signing.recipient_access import RecipientAccess, RecipientCookie, RecipientCookies

TEXT = "text"


async def preview_signature(
    request: Request, services: Services, cookie: RecipientCookie, access: RecipientAccess
) -> JSONResponse:
    """Returns `picture`, a data URL; null for text that is empty, too long or not printable.

    Raises:
        FormOutOfDate: the form has the token of another cookie.
    """
    form = await read_form(request)
    RecipientCookies(services.keys.cookie, services.base_url).check_form_token(cookie, form.get(CSRF, ""))
    text = one_line(form.get(TEXT, ""))
    picture = None if access.is_signed or len(text) > MAX_SIGNATURE else await _written(services, text)
    return JSONResponse({"picture": f"data:image/png;base64,{b64encode(picture).decode()}" if picture else None})


async def _written(services: Services, text: str) -> bytes | None:
    if not text:
        return None
    (printed,) = await services.pool.run(check_text_fits, (ZoneText(text, None),))
    if printed.undrawable:
        return None
    (picture,) = await services.pool.run(render_typed_signatures, (text,))
    return picture
