"""The page on which users choose their emails."""

from tests.web.app.office import ADA, EVE, Office, Visitor

PAGE = "/app/notifications"


async def kinds_of(office: Office, email: str) -> tuple[str, ...]:
    return (await office.service.users.find_by_email(email))[0].notifications


async def test_ends_are_chosen_at_first_and_signatures_are_not(ada: Visitor) -> None:
    page = await ada.look(PAGE)
    assert ADA.email in page.words
    ticks = {str(box["value"]): "checked" in box for box in page.all("input") if box.get("type") == "checkbox"}
    assert ticks == {"declined": True, "completed": True, "expired": True, "signed": False, "delegated": False}


async def test_a_choice_is_stored_for_the_user_alone(office: Office, ada: Visitor) -> None:
    token = str((await ada.look(PAGE)).all("input")[0]["value"])
    form = {"form": token, "kind": ["signed", "completed", "cancelled", "nonsense"]}
    answer = await ada.browser.post(PAGE, data=form)
    assert answer.headers["location"] == f"{PAGE}?done=notifications"
    assert await kinds_of(office, ADA.email) == ("completed", "signed")
    assert await kinds_of(office, EVE.email) == EVE.notifications
    await ada.press(PAGE, on=PAGE)
    assert await kinds_of(office, ADA.email) == ()
