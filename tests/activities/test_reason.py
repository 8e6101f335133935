"""What the seal of a signed document says: who signed it, and when."""

from datetime import timedelta

from activities.stamping import reason_of
from domain.fields import Signature, SignatureKind, SubmittedContent
from domain.ids import FileId, SessionId
from stamping.orders import Signed, StampOrder
from tests.builders import NOON

CONTENT = SubmittedContent(
    recipient_key="ada",
    values=(),
    signature=Signature(kind=SignatureKind.TYPED, text="Ada"),
    consent_version="1",
)


def order(**signed: Signed) -> StampOrder:
    return StampOrder(session_id=SessionId("s"), file_id=FileId("f"), pdf=b"", zones=b"[]", signed=signed)


def test_everybody_is_named_in_the_order_in_which_they_signed() -> None:
    later, first = Signed("Ada", NOON + timedelta(hours=1), CONTENT), Signed("Grace", NOON, CONTENT)

    assert reason_of(order(ada=later, grace=first)) == (
        "Signed by Grace (2026-06-12 12:00 UTC), Ada (2026-06-12 13:00 UTC)"
    )


def test_names_stand_on_one_line() -> None:
    assert reason_of(order(ada=Signed("Ada\n Lovelace", NOON, CONTENT))) == (
        "Signed by Ada Lovelace (2026-06-12 12:00 UTC)"
    )
