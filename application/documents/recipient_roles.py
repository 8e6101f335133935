"""Recipients who do not sign: no block of a document may name them (Specification 2.9)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from application.documents.render_jobs import RenderedDocument
from domain.session.recipients import RecipientRole
from layout.checks.find_issues import shorten
from layout.schema.block_document import BlockDocument
from layout.schema.issues import IssueKind

_NOT_A_SIGNER = (
    "The recipient “{key}” has the role {role}, and only a signer fills in and signs. Use the key of a signer, or make "
    "this recipient one."
)


class WithRole(Protocol):
    """A recipient of a request."""

    @property
    def key(self) -> str: ...

    @property
    def role(self) -> RecipientRole: ...


def signer_keys(recipients: Sequence[WithRole]) -> tuple[str, ...]:
    return tuple(recipient.key for recipient in recipients if recipient.role is RecipientRole.SIGNER)


def not_a_signer(recipient: WithRole) -> str:
    """Returns the message of an issue `not-a-signer`."""
    return _NOT_A_SIGNER.format(key=shorten(recipient.key), role=recipient.role)


def with_role_issues(
    result: RenderedDocument, document: BlockDocument, recipients: Sequence[WithRole]
) -> RenderedDocument:
    """Returns `result` with an issue `not-a-signer` for each block that names a recipient who does not sign.

    `result` reports these recipients as unknown, because it was rendered with the keys of signers only.
    """
    others = {recipient.key: recipient for recipient in recipients if recipient.role is not RecipientRole.SIGNER}
    named = {f"{path}/recipient": others[part.recipient] for path, part in document.bound() if part.recipient in others}
    issues = (
        replace(issue, kind=IssueKind.NOT_A_SIGNER, message=not_a_signer(named[issue.path]))
        if issue.path in named and issue.kind is IssueKind.UNKNOWN_RECIPIENT
        else issue
        for issue in result.issues
    )
    return replace(result, issues=tuple(issues))
