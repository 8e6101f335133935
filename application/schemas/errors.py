"""The bodies of errors (Specification 7.3, 7.4)."""

from dataclasses import asdict
from typing import Annotated, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field

from layout.schema.issues import Issue, IssueKind


class FiledIssue(NamedTuple):
    """An issue in a block document, with the index of its file (from 0) and its JSON pointer into the request."""

    file: int
    path: str
    issue: Issue


class RequestIssueRead(BaseModel):
    """An issue in the structure of a request."""

    path: str = Field(
        description="JSON pointer into the body. For a query parameter or a header: `/` and its name, such as `/limit` "
        "and `/Idempotency-Key`. Empty: the body as a whole.",
        examples=["/recipients/0/email"],
    )
    message: str = Field(description="What is wrong and what to do next.")
    page: int | None = Field(
        default=None, description="Page of an uploaded PDF (from 1) that readers show differently."
    )
    picture: str | None = Field(
        default=None,
        description="That page in two renderers side by side, as a PNG in a `data:` address, unless it is too large.",
    )


class DocumentIssueRead(BaseModel):
    """An issue in a block document."""

    kind: IssueKind = Field(description="Kind of the issue.")
    page: int = Field(description="Page of the document, from 1.")
    message: str = Field(description="What is wrong and what to do next.")
    snippet: str = Field(description="The text with the issue.")
    file: int = Field(description="Index in `files`, from 0.")
    path: str = Field(description="JSON pointer into the request.", examples=["/files/0/document/blocks/3"])

    @classmethod
    def from_issue(cls, filed: FiledIssue) -> Self:
        issue = filed.issue
        return cls.model_validate({**asdict(issue), "file": filed.file, "path": filed.path})


class ErrorRead(BaseModel):
    """The body of all errors."""

    model_config = ConfigDict(
        validate_by_name=True,
        serialize_by_alias=True,
        json_schema_extra={"examples": [{"message": "There is nothing at this address.", "error": "NOT_FOUND"}]},
    )

    message: str = Field(description="What is wrong and what to do next.")
    error: str = Field(description="Error code.", examples=["NOT_FOUND"])
    issues: list[DocumentIssueRead] | list[RequestIssueRead] | None = Field(
        None, description="All issues of the request, its documents, or its variable values."
    )
    session_id: Annotated[str, Field(json_schema_extra={"format": "uuid"})] | None = Field(
        None, alias="sessionId", description="With `EXTERNAL_ID_TAKEN`: the session that has the external id."
    )
