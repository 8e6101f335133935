"""Forms that are posted twice."""

import asyncio

from tests.web.app.office import Made, Office, Visitor


async def test_two_posts_at_once_have_one_effect_and_one_result(office: Office, draft: Made, ada: Visitor) -> None:
    path = f"/app/sessions/{draft['sessionId']}"
    form = (await ada.look(path)).form()

    answers = await asyncio.gather(*(ada.browser.post(f"{path}/send", data=form) for _ in range(3)))

    assert {answer.headers["location"] for answer in answers} == {f"{path}?done=sent"}


async def test_a_form_that_changed_nothing_is_executed_again(office: Office, draft: Made, ada: Visitor) -> None:
    path = f"/app/sessions/{draft['sessionId']}/delete"
    form = {**(await ada.look(path)).form(), "name": "another"}

    first, again = [await ada.browser.post(path, data=form) for _ in range(2)]

    assert (first.status_code, again.status_code) == (422, 422)


async def test_a_replaced_secret_is_not_replaced_again(ada: Visitor) -> None:
    path = "/app/organisation/webhooks"
    form = (await ada.look(path)).form()

    first, again = [await ada.browser.post(f"{path}/secret/rotate", data=form) for _ in range(2)]

    assert first.status_code == 201
    assert again.headers["location"] == f"{path}?done=secret-rotated"
    assert "This form replaced the secret already." in (await ada.look(again.headers["location"])).words
