"""Tokens in names and emails of recipients: for the declared variables of templates, and for nobody in sessions."""

from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

from layout.checks.find_issues import token_issues
from schemas.errors import FiledIssue


class Named(Protocol):
    """Somebody who is asked to sign, as a request has them."""

    @property
    def name(self) -> str | None: ...

    @property
    def email(self) -> str | None: ...


def misplaced_tokens(recipients: Iterable[Named], variables: Collection[str] | None) -> Iterator[FiledIssue]:
    """Tokens that name none of `variables`; None for the recipients of a session, who are final.

    They stand on no page, and count to the first one of the first file.
    """
    for number, recipient in enumerate(recipients):
        for member, text in (("name", recipient.name), ("email", recipient.email)):
            path = f"/recipients/{number}/{member}"
            yield from (FiledIssue(0, path, issue) for issue in token_issues(path, text or "", 1, variables))
