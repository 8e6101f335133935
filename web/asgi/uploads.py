"""Uploaded files, as a form or as JSON."""

import binascii
from base64 import b64decode
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import PurePosixPath, PureWindowsPath
from typing import Annotated, Any

from fastapi import Path, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from application.caller import Caller
from application.errors import (
    FileTooLarge,
    InvalidBase64,
    InvalidRequest,
    RequestIssue,
    UnsupportedMediaType,
    UploadNotFound,
)
from application.idempotency import IdempotentRequest
from application.schemas.uploads import FileUpload
from application.services import Services
from application.uploads.store import Upload
from domain.ports.uploads import UploadKind
from domain.shared.ids import FileId, is_identifier
from domain.shared.object_names import digest
from web.asgi.dependencies import InjectedServices
from web.asgi.json_body import json_body, media_type_of, read_json
from web.asgi.required_scopes import FileWriteCaller

_MAX_NAME = 255
_ENVELOPE = 16_384
"""Maximum bytes of a request in addition to the file: names, boundaries, quotes."""


@dataclass(frozen=True, slots=True)
class UploadRequest:
    """An upload with its caller and its path."""

    caller: Caller
    path: str
    upload: Upload

    def once(self, services: Services, key: str | None) -> IdempotentRequest:
        """Returns the request under `key`. The same name and bytes are the same request, as a form or as JSON."""
        name, content = self.upload.file_name, self.upload.content
        sha256 = digest(f"POST {self.path}\n{len(name)} {name}\n".encode() + content)
        return IdempotentRequest(services.idempotency_keys, self.caller, key, sha256)


async def read_upload(request: Request, limit: int) -> Upload:
    """Returns the file in a request of at most `limit` bytes.

    Raises:
        UnsupportedMediaType: neither a form nor JSON.
        InvalidRequest: the form or the JSON has another shape.
        InvalidBase64: `data` is not base64.
        FileTooLarge: more than `limit` bytes.
    """
    if _is_form(request):
        return await _from_form(request, limit)
    if media_type_of(request) == "application/json":
        return decode_upload(await read_json(request, FileUpload), limit)
    raise UnsupportedMediaType("Send a form (multipart/form-data) with one file, or JSON (application/json).")


async def read_files(request: Request, most: int) -> tuple[Upload, ...]:
    """Returns the files of a posted form, at most `most`; none if none was chosen.

    Raises:
        UnsupportedMediaType: the body is not a form with files.
        InvalidRequest: it cannot be read, or has other parts.
        FileTooLarge: the form exceeds the limit of the page.
    """
    if not _is_form(request):
        raise UnsupportedMediaType("Send a form (multipart/form-data) with files.")
    try:
        async with request.form(max_files=most, max_fields=1) as form:
            files = [part for _, part in form.multi_items() if isinstance(part, UploadFile)]
            return tuple([Upload(_bare_name(file.filename or ""), await file.read()) for file in files])
    except HTTPException as error:
        raise InvalidRequest([RequestIssue("/file", f"Send at most {most} files, in parts called “file”.")]) from error


def with_envelope(size: int) -> int:
    """Returns the bytes of a request with a file of `size` bytes, in a form or in base64 as JSON."""
    return _in_base64(size) + _ENVELOPE


def _in_base64(size: int) -> int:
    return 4 * (size // 3 + 1)


def _is_form(request: Request) -> bool:
    return media_type_of(request) == "multipart/form-data"


async def _from_form(request: Request, limit: int) -> Upload:
    try:
        return await _only_file(request, limit)
    except HTTPException as error:
        if error.status_code != HTTPStatus.BAD_REQUEST:
            raise
        advice = "Send multipart/form-data, with the boundary of its parts in the header."
        raise InvalidRequest([RequestIssue("", f"The form cannot be read: {error.detail} {advice}")]) from error


async def _only_file(request: Request, limit: int) -> Upload:
    async with request.form(max_files=2, max_fields=8) as form:
        parts = form.multi_items()
        file = parts[0][1] if len(parts) == 1 and parts[0][0] == "file" else None
        if not isinstance(file, UploadFile):
            advice = f"Send one file, in a part called “file”, and nothing else.{_advice_on_parts(parts)}"
            raise InvalidRequest([RequestIssue("/file", advice)])
        if (file.size or 0) > limit:
            raise FileTooLarge
        return Upload(_bare_name(file.filename or ""), await file.read())


def _advice_on_parts(parts: Sequence[tuple[str, UploadFile | str]]) -> str:
    """Returns a sentence on the parts of a form that are not one file called “file”."""
    if len(parts) == 1 and isinstance(parts[0][1], str):
        return f" The part “{parts[0][0][:80]}” has no file name; without one it is a text."
    names = ", ".join(f"“{name[:80]}”" for name, _ in parts)
    return f" The form has: {names}." if parts else ""


def decode_upload(body: FileUpload, limit: int) -> Upload:
    """Returns the file in `body`. Raises `InvalidBase64`, or `FileTooLarge` if it has more than about `limit` bytes."""
    if len(body.data) > _in_base64(limit):
        raise FileTooLarge
    try:
        content = b64decode(body.data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidBase64(f"{InvalidBase64.default}{_advice_on_base64(body.data)}") from error
    return Upload(body.file_name, content, "/data")


def _advice_on_base64(data: str) -> str:
    """Returns a sentence on the likely mistake in `data`; "" without one."""
    if data.startswith("data:"):
        return f" Leave out “{data[:80].partition(',')[0]},”."
    if data.startswith(("b'", 'b"')):
        return " Leave out the b and the quotation marks of Python: use data.decode()."
    if set("-_") & set(data) and not set("+/") & set(data):
        return " Write + for - and / for _: this is base64url."
    if any(character.isspace() for character in data):
        return " Leave out spaces and line breaks."
    return " Add = at the end until its length is a multiple of 4." if len(data) % 4 else ""


def _bare_name(name: str) -> str:
    """Returns the name without folders and control characters; old browsers sent whole paths."""
    base = PurePosixPath(PureWindowsPath(name).name).name
    printable = "".join(character for character in base if character.isprintable()).strip()
    return printable[:_MAX_NAME] or "file"


def upload_body(limit: int) -> dict[str, Any]:
    """Returns the `openapi_extra` of a route that reads an upload of at most `limit` bytes."""
    extra: Any = json_body(FileUpload)
    file = {"type": "string", "format": "binary", "maxLength": limit, "description": "The file."}
    form = {"schema": {"type": "object", "required": ["file"], "properties": {"file": file}}}
    # Some generators of clients use the first content type only, and a file in base64 is the less usual one.
    extra["requestBody"]["content"] = {"multipart/form-data": form, **extra["requestBody"]["content"]}
    return dict(extra)


UploadId = Annotated[FileId, Path(alias="fileId", description="an id that is no UUID is treated as unknown")]


def get_upload_id(kind: UploadKind) -> Callable[..., Awaitable[FileId]]:
    """Returns a dependency: the id in the path, if the caller's organisation has an upload of that id and `kind`."""

    async def find(file_id: UploadId, caller: FileWriteCaller, services: InjectedServices) -> FileId:
        uploads = services.files if kind is UploadKind.FILE else services.images
        if not is_identifier(file_id) or not await uploads.find(caller.organisation_id, [file_id]):
            raise UploadNotFound
        return file_id

    return find
