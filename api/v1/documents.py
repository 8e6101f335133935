"""Documents before they belong to anything (Specification 4.17)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from application.caller import Caller
from application.documents.preview import preview, print_preview
from application.errors import (
    DocumentValidationFailed,
    InsufficientScope,
    InvalidRequest,
    NotAcceptable,
    Unauthorized,
    UnsupportedMediaType,
)
from application.scopes import Scope
from asgi.content_negotiation import choose_type
from asgi.dependencies import InjectedServices, PreviewCaller
from asgi.error_handlers import error_responses
from asgi.json_body import json_body, read_with_documents
from asgi.query_validation import StrictRoute
from domain.shared.errors import Unavailable
from schemas.previews import PreviewCreate, PreviewRead

router = APIRouter(
    route_class=StrictRoute,
    prefix="/api/v1/Document",
    tags=["Documents"],
    responses=error_responses(Unauthorized, InsufficientScope, Unavailable),
)

JSON, PDF = "application/json", "application/pdf"


class PreviewRequest:
    """A preview that is asked for: what of, and in which form."""

    def __init__(self, caller: Caller, body: PreviewCreate, form: str) -> None:
        self.caller = caller
        self.body = body
        self.form = form


async def get_preview_request(request: Request, caller: PreviewCaller) -> PreviewRequest:
    """The body, read only for a caller who may send it."""
    form = choose_type(request.headers.get("accept"), [JSON, PDF])
    return PreviewRequest(caller, await read_with_documents(request, caller, PreviewCreate), form)


@router.post(
    "/Preview",
    response_model=PreviewRead,
    responses={
        200: {
            "content": {PDF: {"schema": {"type": "string", "format": "binary"}}},
            "description": "What the document would be, or its pages when `Accept` prefers `application/pdf`",
        },
        **error_responses(InvalidRequest, DocumentValidationFailed, NotAcceptable, UnsupportedMediaType),
    },
    openapi_extra={**json_body(PreviewCreate), "security": [{"accessToken": [Scope.WRITE_TEMPLATES.value]}]},
)
async def preview_document(
    wanted: Annotated[PreviewRequest, Depends(get_preview_request)], services: InjectedServices
) -> Response:
    """Previews a document: lays it out, with the checks of Create Session or Create Template. Nothing is stored.

    As JSON it answers with 200 even when there are issues: `zones` say where on the pages people fill in and sign. As
    a PDF it answers with the pages, or with 400 `DOCUMENT_VALIDATION_FAILED` when there is any issue: ask for JSON to
    see how far the pages come all the same. Warnings keep no PDF from being made.
    """
    if wanted.form == PDF:
        return Response(await print_preview(services, wanted.caller, wanted.body.root), media_type=PDF)
    shown, _ = await preview(services, wanted.caller, wanted.body.root)
    return Response(shown.model_dump_json(), media_type=JSON)
