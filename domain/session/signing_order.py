"""The signing order: recipients with the lowest open number act in parallel, before those with the next.

Recipients of copies have no turn.
"""

from collections.abc import Sequence

from domain.session.recipients import Recipient, RecipientStatus


def recipients_to_invite(recipients: Sequence[Recipient]) -> tuple[Recipient, ...]:
    """Returns the recipients whose turn it is and who are not invited yet."""
    left = [r for r in recipients if not r.gets_copy and r.status is not RecipientStatus.COMPLETED]
    turn = min((r.signing_order for r in left), default=0)
    return tuple(r for r in left if r.signing_order == turn and r.status is RecipientStatus.WAITING)
