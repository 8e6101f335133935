"""Previews of documents (Specification 4.17)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from application.errors import DocumentValidationFailed, NotAcceptable
from application.preview import preview, print_preview
from application.schemas.previews import PreviewCreate, PreviewRead
from application.scopes import Scope
from web.asgi.content_negotiation import choose_type
from web.asgi.dependencies import InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.json_body import read_with_documents
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import PreviewCaller
from web.asgi.route_signature import JsonBody, ModelResponse

router = APIRouter(route_class=StrictRoute, prefix="/api/v1/Document", tags=["Documents"])

JSON, PDF = "application/json", "application/pdf"


async def get_media_type(request: Request) -> str:
    """Returns the media type of the response."""
    return choose_type(request.headers.get("accept"), [JSON, PDF])


async def read_preview_create(request: Request, caller: PreviewCaller) -> PreviewCreate:
    return await read_with_documents(request, caller, PreviewCreate)


@router.post(
    "/Preview",
    responses={
        200: {
            "content": {PDF: {"schema": {"type": "string", "format": "binary"}}},
            "description": "The layout, or the pages if `Accept` prefers `application/pdf`",
        },
        **error_responses(DocumentValidationFailed, NotAcceptable),
    },
    openapi_extra={"security": [{"accessToken": [Scope.WRITE_TEMPLATES.value]}]},
)
async def preview_document(
    caller: PreviewCaller,
    media_type: Annotated[str, Depends(get_media_type)],
    body: Annotated[JsonBody[PreviewCreate], Depends(read_preview_create)],
    services: InjectedServices,
) -> ModelResponse[PreviewRead]:
    """Previews a document: lays it out, with the checks of Create Session or Create Template. Nothing is stored.

    The JSON response is 200 even if there are issues; `zones` are the positions of fields and signatures. The PDF
    response has the pages, or is 400 `DOCUMENT_VALIDATION_FAILED` if there are issues; request JSON for the layout of
    such a document. Warnings do not prevent a PDF.
    """
    if media_type == PDF:
        return ModelResponse(await print_preview(services, caller, body.root), media_type=PDF)
    shown, _ = await preview(services, caller, body.root)
    return ModelResponse(shown.model_dump_json(), media_type=JSON)
