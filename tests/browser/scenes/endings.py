"""Links that are opened too early, too late, or during another change."""

from datetime import UTC, datetime

from tests.browser.house import House
from tests.browser.stories import link_to, sent, signed
from tests.browser.visitor import Visitor
from tests.builders import audit


async def expired(house: House, visitor: Visitor) -> None:
    await visitor.page.goto(await link_to(house, sent(house).expire(audit(datetime.now(UTC))).session, "client"))


async def not_your_turn(house: House, visitor: Visitor) -> None:
    session = sent(house).model_copy(update={"expires_at": None})
    second = next(one for one in session.recipients if one.key == "consultant")
    session = session.with_recipient(second, invitation=second.invitation.next())
    await visitor.page.goto(await link_to(house, session, "consultant"))


_BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="595" height="842"/>'


async def _show_blank_pages(visitor: Visitor) -> None:
    """These sessions have no documents in the object store."""
    await visitor.page.route("**/page/**", lambda route: route.fulfill(body=_BLANK, content_type="image/svg+xml"))


async def generating(house: House, visitor: Visitor) -> None:
    await _show_blank_pages(visitor)
    await visitor.open_link(await link_to(house, signed(sent(house), "client", "consultant"), "client"))


async def signed_then_declined(house: House, visitor: Visitor) -> None:
    await _show_blank_pages(visitor)
    session = signed(sent(house), "client").model_copy(update={"expires_at": None})
    other = next(one for one in session.recipients if one.key == "consultant")
    over = session.decline(other.recipient_id, "The fee is too low.", audit(datetime.now(UTC))).session
    await visitor.open_link(await link_to(house, over, "client"))


async def signed_then_expired(house: House, visitor: Visitor) -> None:
    await _show_blank_pages(visitor)
    over = signed(sent(house), "client").expire(audit(datetime.now(UTC))).session
    await visitor.open_link(await link_to(house, over, "client"))
