"""Downloads by signed address, for a store that has no web server of its own (Specification 2.3)."""

from fastapi import APIRouter, Response

from asgi.dependencies import InjectedServices
from asgi.error_handlers import refused
from asgi.query_validation import BodilessRoute
from domain.shared.file_names import attachment
from ports.object_store import DownloadNotValid

router = APIRouter(route_class=BodilessRoute, tags=["Downloads"])


_PDF = {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}
_ADDRESS = "/objects/{token}"


@router.get(
    _ADDRESS,
    response_class=Response,
    responses={200: {"content": _PDF, "description": "The file, as an attachment"}, **refused(DownloadNotValid)},
)
async def download_file(token: str, services: InjectedServices) -> Response:
    """Downloads a signed PDF by its pre-signed URL. The URL is the permission, until its time is over.

    HEAD answers with the same headers, without the file. Neither is counted, and neither is an event.
    """
    if services.downloads is None:
        raise DownloadNotValid
    content, how = await services.downloads.read_signed(token)
    return Response(
        content,
        media_type=how.content_type,
        headers={
            "Content-Disposition": attachment(how.file_name),
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "private, no-store",
        },
    )
