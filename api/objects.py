"""Downloads by signed address, for a store that has no web server of its own (contract 9)."""

from fastapi import APIRouter, Response

from adapters.object_store.port import DownloadNotValid
from api.dependencies import InjectedServices
from api.file_names import attachment
from api.problems import refused

router = APIRouter(tags=["Downloads"])


@router.get(
    "/objects/{token}",
    response_class=Response,
    responses={
        200: {"content": {"application/octet-stream": {}}, "description": "The file, as an attachment"},
        **refused(DownloadNotValid),
    },
)
async def download(token: str, services: InjectedServices) -> Response:
    """A file by the address that was handed out for it. The address is the permission."""
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
