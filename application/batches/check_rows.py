"""A job for the process pool: checks the rows of a batch against its template, without layout."""

from application.batches.content import BatchContent
from application.errors import RequestIssue
from application.templates.create_session import fill_or_collect


def check_rows(content: BatchContent) -> tuple[list[str], list[tuple[int, RequestIssue]]]:
    """Returns the addresses of the recipients of all valid rows, and the issues of the others with their rows."""
    addresses: list[str] = []
    issues: list[tuple[int, RequestIssue]] = []
    for row in range(len(content.request.rows)):
        session, found = fill_or_collect(content.template, content.session_request(row))
        if session is not None:
            addresses += [recipient.email for recipient in session.recipients]
        issues += [(row, RequestIssue(content.place_of(row, issue.path), issue.message)) for issue in found]
    return addresses, issues
