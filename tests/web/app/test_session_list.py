"""The session list and its filters."""

import pytest

from domain.ports.database import DatabaseUnavailable
from domain.shared.ids import SessionId
from tests.api.service import STRANGER, session_request
from tests.web.app.office import ADA, EVE, Office, Visitor
from tests.web.html import Page


async def names(office: Office, query: str = "") -> list[str]:
    """The names in the list, in its order."""
    page = await (await office.come_in()).look(f"/app{query}")
    known = {f"/app/sessions/{held.session_id}": held.name for held in office.service.sessions.held.values()}
    return [known[link] for link in page.links() if link in known]


async def make_three(office: Office) -> None:
    service = office.service
    await service.create(name="Draft of a lease")
    sent = await service.create(name="Lease that was sent", sendImmediately=True)
    archived = await service.create(name="Old lease")
    await service.http().delete(f"/api/v1/Session/{archived['sessionId']}")
    assert SessionId(sent["sessionId"]) in service.sessions.held


BOTH = ["Lease that was sent", "Draft of a lease"]
"""All that are not archived, the latest change first."""


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", BOTH), ("?tab=drafts", BOTH[1:]), ("?tab=waiting", BOTH[:1]), ("?tab=archived", ["Old lease"]),
        ("?tab=done", []), ("?search=DRAFT", BOTH[1:]), ("?search=Grace@Example.com&tab=drafts", BOTH[1:]),
        ("?search=hopper", BOTH), ("?search=nobody@example.com", []), ("?search=l", BOTH), ("?search=gr", BOTH),
        ("?until=2020-01-01", []), ("?since=2020-01-01&tab=drafts", BOTH[1:]),
        ("?sort=name", BOTH[::-1]), ("?sort=name-back", BOTH),
        ("?sort=oldest", BOTH[::-1]), ("?sort=unchanged", BOTH[::-1]), ("?page=2", []),
        ("?tab=no&sort=no&page=-1", BOTH), ("?page=x", BOTH), ("?page=²", BOTH), ("?since=yesterday", BOTH),
        ("?until=9999-12-31", BOTH), ("?search=%00%0a", BOTH), ("?page=", BOTH),
    ],
)  # fmt: skip
async def test_filters_and_orders_apply_and_invalid_ones_are_ignored(
    office: Office, query: str, expected: list[str]
) -> None:
    await make_three(office)
    assert await names(office, query) == expected


async def test_counts_are_of_what_was_searched(office: Office, ada: Visitor) -> None:
    await make_three(office)

    everything = " ".join((await ada.look("/app")).words.split())
    nothing = " ".join((await ada.look("/app?search=nothing+like+it")).words.split())
    found = " ".join((await ada.look("/app?search=lease&tab=drafts")).words.split())

    assert "All 2 Drafts 1 Waiting 1 Completed 0 Ended 0 Archived 1" in everything
    assert "No sessions match." in nothing
    assert "All 0 Drafts Waiting" in nothing
    assert "All Drafts 1 Waiting" in found
    assert "1 session · “ lease ” Show all sessions" in found or "1 session · “lease” Show all sessions" in found


async def test_long_lists_have_pages_that_keep_the_filters(office: Office, ada: Visitor) -> None:
    for number in range(27):
        await office.service.create(name=f"Lease {number:02}")

    first = await ada.look("/app?sort=name&search=lease")
    [onward] = [link for link in first.links() if "page=" in link]
    second = await ada.look(onward)

    assert "27 sessions" in first.words
    assert "Lease 24" in first.words
    assert "Lease 25" not in first.words
    assert "Lease 26" in second.words
    assert "/app?search=lease&sort=name" in second.links()


async def test_without_sessions_the_list_teaches_how_one_comes_there(ada: Visitor) -> None:
    page = await ada.look()
    assert "No sessions yet" in page.words
    assert "/help/app#creating-a-session" in page.links()


async def test_a_row_shows_the_name_as_text_who_signs_and_until_when(office: Office, ada: Visitor) -> None:
    await office.service.create(name="<script>alert(1)</script>", sendImmediately=True, expiryDays=2)

    answer = await ada.browser.get("/app")

    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;" in answer.text
    words = " ".join(Page(answer.text).words.split())
    assert "Waiting for the signature" not in words
    assert "Waiting for Ada Lovelace Invited just now" in words
    assert "in 2 days" in words or "tomorrow" in words
    assert 'class="due near"' in answer.text
    assert 'title="Ada Lovelace, Grace Hopper"' in answer.text
    assert "0 of 2 signed" in words


async def test_a_row_names_two_recipients_and_counts_the_others(office: Office, ada: Visitor) -> None:
    people = [{"key": key, "name": key.title(), "email": f"{key}@example.com"} for key in ("ada", "grace", "mary")]
    await office.service.create(name="Draft", recipients=people)
    await office.service.create(
        name="Sent", recipients=[{**one, "signingOrder": 1} for one in people], sendImmediately=True
    )

    words = " ".join((await ada.look("/app")).words.split())

    assert "Select “Draft” Draft Ada · Grace and 1 more 0/3" in words
    assert "Select “Sent” Sent Waiting for Ada · Grace and 1 more Invited just now" in words


async def test_an_archived_session_is_restored_from_the_list(office: Office, ada: Visitor) -> None:
    await make_three(office)

    [old] = [held.session_id for held in office.service.sessions.held.values() if held.name == "Old lease"]

    question = await ada.look(f"/app/bulk/restore?session={old}")
    answer = await ada.press("/app/bulk/restore", on="/app", session=old)

    assert "Restore 1 session?" in question.words
    assert answer.headers["location"] == "/app?bulk=restore&count=1"
    assert "1 session was restored." in (await ada.look(answer.headers["location"])).words
    assert "Old lease" in await names(office)


async def test_another_organisations_sessions_are_not_there(office: Office) -> None:
    await make_three(office)
    eve = await office.come_in(EVE)

    assert "No sessions yet" in (await eve.look()).words
    await office.service.http(STRANGER).post("/api/v1/Session", json=session_request(name="Theirs"))
    page = await eve.look()
    assert "Theirs" in page.words
    assert "lease" not in page.words


async def test_without_the_database_there_is_a_kind_page(office: Office, ada: Visitor) -> None:
    async def away(*_: object) -> object:
        raise DatabaseUnavailable

    office.service.rows.list_sessions = away  # type: ignore[method-assign, assignment]
    answer = await ada.browser.get("/app")

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    assert "Nothing has been lost" in Page(answer.text).words


async def test_heads_sort_and_turn_the_order_round(office: Office, ada: Visitor) -> None:
    await make_three(office)

    def heads(page: Page) -> list[str]:
        return [str(head.get("aria-sort")) for head in page.all("th") if head.get("aria-sort")]

    usual, by_name = await ada.look("/app?search=lease"), await ada.look("/app?search=lease&sort=name")

    assert heads(usual) == ["none", "descending"]
    assert {"/app?search=lease&sort=name", "/app?search=lease&sort=unchanged"} <= set(usual.links())
    assert heads(by_name) == ["ascending", "none"]
    assert {"/app?search=lease&sort=name-back", "/app?search=lease&sort=changed"} <= set(by_name.links())


async def test_a_row_says_where_somebody_must_act(office: Office, ada: Visitor) -> None:
    sent = await office.service.create(name="Lease", sendImmediately=True)
    await ada.look()
    held = office.service.sessions.held[SessionId(sent["sessionId"])]
    person = held.recipients[0]
    refused = person.invitation.model_copy(update={"failed": person.invitation.number})
    lost = (person.model_copy(update={"invitation": refused}), *held.recipients[1:])
    await office.service.rows.record(held.model_copy(update={"recipients": lost}), ())

    assert "We couldn’t email Ada Lovelace. Check the address and resend." in (await ada.look()).words


async def test_the_sessions_of_a_user_are_those_they_made_or_sent(office: Office, ada: Visitor) -> None:
    made = await office.service.create(name="Of a program")
    await ada.press(f"/app/sessions/{made['sessionId']}/duplicate", f"/app/sessions/{made['sessionId']}")

    mine = await ada.look("/app?mine=1")
    assert [one.owner for one in office.service.sessions.held.values()].count(ADA.user_id) == 1
    assert len([link for link in mine.links() if link.startswith("/app/sessions/")]) == 1
