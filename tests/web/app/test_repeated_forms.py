"""A form that is posted twice takes effect once, and two forms with equal content take effect twice."""

import re

import pytest

from tests.api.service import session_request
from tests.api.templates import template_request
from tests.web.app.office import Office, Visitor
from tests.web.app.test_batch_pages import FILE, upload
from tests.web.app.test_client_pages import NEW as NEW_CLIENT
from tests.web.app.test_json_editor import text
from tests.web.app.test_new_session import FILLED, lease

BATCHES = "/app/batches/new"
CREATING = ("session", "session text", "template text", "copy of a session", "copy of a template", "batch", "client")
"""Every form that creates something under an identifier of its own."""


async def find_form(office: Office, ada: Visitor, kind: str) -> tuple[str, str, dict[str, str]]:
    """The page of the form, the path that it is posted to, and what is entered."""
    template_id = (await lease(office)).rpartition("/")[2]
    template = f"/app/templates/{template_id}"
    session = f"/app/sessions/{(await office.service.create())['sessionId']}"
    (file,) = re.findall(r'name="file" value="([^"]*)"', await upload(ada, template_id, FILE))
    forms = {
        "session": (f"/app/new/{template_id}", "", FILLED),
        "session text": ("/app/new/json", "", {"body": text(session_request()), "do": "create"}),
        "template text": ("/app/templates/new", "", {"body": text(template_request()), "do": "create"}),
        "copy of a session": (session, f"{session}/duplicate", {}),
        "copy of a template": (template, f"{template}/duplicate", {}),
        "batch": (f"{BATCHES}/{template_id}", "", {"file": file, "name": "July", "per_minute": "60"}),
        "client": (NEW_CLIENT, "", {"name": "Shop", "scope": "read:sessions"}),
    }
    page, path, entered = forms[kind]
    return page, path or page, entered


@pytest.mark.parametrize("kind", CREATING)
async def test_an_opened_form_creates_one_thing_and_the_next_another(office: Office, ada: Visitor, kind: str) -> None:
    page, path, entered = await find_form(office, ada, kind)
    forms = [{**(await ada.look(page)).form(), **entered} for _ in range(2)]

    answers = [await ada.browser.post(path, data=form) for form in (forms[0], *forms)]

    found = [re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", answer.headers.get("location", answer.text)) for answer in answers]
    first, again, other = [one and one[0] for one in found]
    assert first == again != other
    assert {answer.status_code for answer in answers} <= {200, 303}
