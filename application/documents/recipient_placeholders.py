"""Checks placeholders in the names and emails of recipients. Templates may contain them; sessions may not."""

from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

from layout.checks.find_issues import token_issues
from schemas.errors import FiledIssue


class Named(Protocol):
    """A recipient of a request."""

    @property
    def name(self) -> str | None: ...

    @property
    def email(self) -> str | None: ...


def misplaced_placeholders(recipients: Iterable[Named], variables: Collection[str] | None) -> Iterator[FiledIssue]:
    """Yields an issue for each placeholder that names none of the `variables`, which are None for a session.

    The issues refer to page 1 of the first file.
    """
    for number, recipient in enumerate(recipients):
        for member, text in (("name", recipient.name), ("email", recipient.email)):
            path = f"/recipients/{number}/{member}"
            yield from (FiledIssue(0, path, issue) for issue in token_issues(path, text or "", 1, variables))
