"""What the answers to changes of a session tell a client without the scope `read:sessions`.

The client changes sessions that it may not read. The answers keep their form, without what identifies people.
"""

from typing import TypeVar

from pydantic import BaseModel

from application.caller import Caller
from application.scopes import Scope
from domain.session.session import Session

Answer = TypeVar("Answer", bound=BaseModel)


def visible_session(caller: Caller, session: Session) -> Session:
    """Returns the session as `caller` may see it.

    Without `read:sessions`, recipients have their keys as names and no addresses and reasons, and the session has no
    message, callback URL, external id and metadata.
    """
    if Scope.READ_SESSIONS in caller.scopes:
        return session
    hidden = {"email": "", "decline_reason": None, "delegations": ()}
    people = tuple(one.model_copy(update={**hidden, "name": one.key}) for one in session.recipients)
    others: dict[str, object] = {"message": None, "callback_url": None, "external_id": None, "metadata": {}}
    return session.model_copy(update={**others, "recipients": people})


def visible_answer(caller: Caller, answer: Answer) -> Answer:
    """Returns the answer about one recipient, without their address if `caller` may not read sessions."""
    may_read = Scope.READ_SESSIONS in caller.scopes
    return answer if may_read else answer.model_copy(update={"recipient_email": ""})
