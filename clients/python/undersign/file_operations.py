"""The operations on uploads, previews and downloads."""

from base64 import b64encode

from undersign.models import DownloadEntry, FileUploaded, ImageRead, PreviewRead, UploadDeleted
from undersign.operation import JSON, Body, Method, Operation, as_json, at, content, delete, post, post_once


class FileOperations:
    """The operations on uploads, previews and downloads."""

    @Method
    @staticmethod
    def upload_image(file_name: str, content: bytes, *, idempotency_key: str | None = None) -> Operation[ImageRead]:
        """Uploads an image that documents can show."""
        body = {"fileName": file_name, "data": b64encode(content).decode()}
        return post_once("uploadImage", at("/Image"), ImageRead, idempotency_key, body)

    @Method
    @staticmethod
    def upload_file(file_name: str, content: bytes, *, idempotency_key: str | None = None) -> Operation[FileUploaded]:
        """Uploads a PDF that sessions can contain for reference."""
        body = {"fileName": file_name, "data": b64encode(content).decode()}
        return post_once("uploadFile", at("/File"), FileUploaded, idempotency_key, body)

    @Method
    @staticmethod
    def delete_image(file_id: str) -> Operation[UploadDeleted]:
        """Deletes an image that no session and no template uses."""
        return delete("deleteImage", at("/Image/{}", file_id), UploadDeleted)

    @Method
    @staticmethod
    def delete_file(file_id: str) -> Operation[UploadDeleted]:
        """Deletes an uploaded PDF that no session uses."""
        return delete("deleteFile", at("/File/{}", file_id), UploadDeleted)

    @Method
    @staticmethod
    def preview_document(preview: Body) -> Operation[PreviewRead]:
        """Returns the pages, zones, issues and warnings of a document. Nothing is stored."""
        return post("previewDocument", at("/Document/Preview"), PreviewRead, preview)

    @Method
    @staticmethod
    def print_preview(preview: Body) -> Operation[bytes]:
        """Returns the pages of a document as a PDF. Nothing is stored."""
        path, headers = at("/Document/Preview"), {**JSON, "Accept": "application/pdf"}
        return Operation("previewDocument", "POST", path, content, body=as_json(preview), headers=headers)

    @Method
    @staticmethod
    def download(entry: DownloadEntry | str) -> Operation[bytes]:
        """Returns the file at a pre-signed URL, without an access token."""
        url = entry if isinstance(entry, str) else entry.url
        return Operation("downloadFile", "GET", url, content, needs_token=False)
