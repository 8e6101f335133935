"""Previews of documents (Specification 4.17)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from application.caller import Caller
from application.errors import DocumentValidationFailed, NotAcceptable
from application.preview import preview, print_preview
from application.schemas.previews import PreviewCreate, PreviewRead
from application.scopes import Scope
from web.asgi.content_negotiation import choose_type
from web.asgi.dependencies import InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.json_body import json_body, read_with_documents
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import PreviewCaller

router = APIRouter(route_class=StrictRoute, prefix="/api/v1/Document", tags=["Documents"])

JSON, PDF = "application/json", "application/pdf"


async def get_preview(request: Request, caller: PreviewCaller) -> tuple[Caller, PreviewCreate, str]:
    """Returns the body, read after the caller is authorised, and the media type of the response."""
    media_type = choose_type(request.headers.get("accept"), [JSON, PDF])
    return caller, await read_with_documents(request, caller, PreviewCreate), media_type


@router.post(
    "/Preview",
    response_model=PreviewRead,
    responses={
        200: {
            "content": {PDF: {"schema": {"type": "string", "format": "binary"}}},
            "description": "The layout, or the pages if `Accept` prefers `application/pdf`",
        },
        **error_responses(DocumentValidationFailed, NotAcceptable),
    },
    openapi_extra={**json_body(PreviewCreate), "security": [{"accessToken": [Scope.WRITE_TEMPLATES.value]}]},
)
async def preview_document(
    call: Annotated[tuple[Caller, PreviewCreate, str], Depends(get_preview)], services: InjectedServices
) -> Response:
    """Previews a document: lays it out, with the checks of Create Session or Create Template. Nothing is stored.

    The JSON response is 200 even if there are issues; `zones` are the positions of fields and signatures. The PDF
    response has the pages, or is 400 `DOCUMENT_VALIDATION_FAILED` if there are issues; request JSON for the layout of
    such a document. Warnings do not prevent a PDF.
    """
    caller, body, media_type = call
    if media_type == PDF:
        return Response(await print_preview(services, caller, body.root), media_type=PDF)
    shown, _ = await preview(services, caller, body.root)
    return Response(shown.model_dump_json(), media_type=JSON)
