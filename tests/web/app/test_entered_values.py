"""What people entered, in the app: the table, the CSV file, and the event of the first read."""

import csv
from io import StringIO

import pytest

from domain.audit.events import EventType
from domain.shared.ids import SessionId
from tests.api.v1.test_values import half_signed, sent
from tests.builders import ORGANISATION
from tests.web.app.office import Office, Visitor
from tests.web.app.test_session_page import words
from web.app.entered_values import as_cell


async def reads(office: Office, session_id: SessionId) -> int:
    events = await office.service.rows.events(ORGANISATION, session_id)
    return [event.type for event in events].count(EventType.SESSION_VALUES_READ)


async def test_the_table_has_each_entry_with_its_person(office: Office, ada: Visitor) -> None:
    session = await half_signed(office.service)
    page = f"/app/sessions/{session.session_id}"
    links = (await ada.look(page)).links()
    unread = await reads(office, session.session_id)

    shown = words((await ada.look(f"{page}/values")).words)
    await ada.look(f"{page}/values")

    assert {f"{page}/values", f"{page}/values.csv"} <= set(links)
    assert "Account Zanzibar-7731 Ada Lovelace" in shown
    assert "Annex Yes Ada Lovelace" in shown
    assert "Account 01/07/2026 Ada Lovelace" in shown
    assert "Fee" not in shown
    assert (unread, await reads(office, session.session_id)) == (0, 1)
    assert "Ada Byron read what Ada Lovelace entered" in (await ada.look(page)).words


async def test_the_file_opens_in_spreadsheets(office: Office, ada: Visitor) -> None:
    session = await half_signed(office.service)

    answer = await ada.browser.get(f"/app/sessions/{session.session_id}/values.csv")

    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert 'filename="Consulting agreement.csv"' in answer.headers["content-disposition"]
    rows = list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))
    assert [(row["Document"], row["Field"], row["Entry"]) for row in rows] == [
        ("Agreement.pdf", "Account", "Zanzibar-7731"),
        ("Agreement.pdf", "Annex", "Yes"),
        ("Annex.pdf", "Account", "01/07/2026"),
    ]
    assert {(row["Entered by"], row["Email address"]) for row in rows} == {("Ada Lovelace", "ada@example.com")}


async def test_before_a_signature_there_is_nothing_to_show(office: Office, ada: Visitor) -> None:
    page = f"/app/sessions/{(await sent(office.service)).session_id}"
    assert f"{page}/values" not in (await ada.look(page)).links()
    assert "had no fields to fill in" in (await ada.look(f"{page}/values")).words


async def test_a_link_on_another_site_reads_nothing(office: Office, ada: Visitor) -> None:
    session = await half_signed(office.service)
    page = f"/app/sessions/{session.session_id}"
    for what in ("values", "values.csv"):
        led = await ada.browser.get(f"{page}/{what}", headers={"Sec-Fetch-Site": "cross-site"})
        assert (led.status_code, led.headers["location"]) == (303, page)
    assert await reads(office, session.session_id) == 0


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("+cmd|x", "'+cmd|x"), ("-2+3", "'-2+3"), ("\t=1", "'\t=1"),
        ("-12.50", "-12.50"), ("+61 400 000 000", "+61 400 000 000"), ("a=b", "a=b"), ("", ""),
        ("two\nlines", "two\nlines"),
    ],
)  # fmt: skip
def test_no_entry_is_a_formula(text: str, cell: str) -> None:
    assert as_cell(text) == cell
