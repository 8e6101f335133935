"""The bodies of errors (Specification 7.3, 7.4)."""

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

    path: Annotated[
        str,
        Field(
            description="JSON pointer into the body; of a query parameter or a header `/` and its name, as in `/limit` "
            "and `/Idempotency-Key`; empty: the body as a whole",
            examples=["/recipients/0/email"],
        ),
    ]
    message: str


class DocumentIssueRead(BaseModel):
    """An issue in a block document."""

    kind: IssueKind
    page: Annotated[int, Field(description="page within its document, from 1")]
    message: str
    snippet: Annotated[str, Field(description="the offending text")]
    file: Annotated[int, Field(description="index in `files`, from 0")]
    path: Annotated[str, Field(description="JSON pointer into the request", examples=["/files/0/document/blocks/3"])]

    @classmethod
    def from_issue(cls, filed: FiledIssue) -> Self:
        issue = filed.issue
        return cls(
            kind=issue.kind,
            page=issue.page,
            message=issue.message,
            snippet=issue.snippet,
            file=filed.file,
            path=filed.path,
        )


class ErrorRead(BaseModel):
    """The body of all errors."""

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    message: Annotated[str, Field(description="what is wrong and what to do next")]
    error: Annotated[str, Field(description="the code, for programs", examples=["NOT_FOUND"])]
    issues: Annotated[
        list[DocumentIssueRead] | list[RequestIssueRead] | None,
        Field(description="all mistakes at once, of a request, its documents, or its variable values"),
    ] = None
    session_id: Annotated[
        str | None,
        Field(alias="sessionId", description="with `EXTERNAL_ID_TAKEN`: the session that has the external id"),
    ] = None
