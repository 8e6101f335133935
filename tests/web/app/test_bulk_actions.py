"""Several sessions of the list at once."""

from collections.abc import Sequence
from io import BytesIO
from zipfile import ZipFile

import httpx

from domain.session.status import SessionStatus
from domain.shared.ids import SessionId
from tests.web.app.office import EVE, Office, Visitor


async def make(office: Office, *names: str, **members: object) -> list[str]:
    return [str((await office.service.create(name=name, **members))["sessionId"]) for name in names]


async def press(visitor: Visitor, act: str, chosen: Sequence[str]) -> httpx.Response:
    token = str((await visitor.look("/app/organisation")).all("input")[0]["value"])
    return await visitor.browser.post(f"/app/bulk/{act}", data={"form": token, "session": list(chosen)})


def query(chosen: Sequence[str]) -> str:
    return "&".join(f"session={session_id}" for session_id in chosen)


async def test_several_are_withdrawn_or_archived_after_a_page_that_says_so(office: Office, ada: Visitor) -> None:
    chosen = [*await make(office, "Draft"), *await make(office, "Lease", sendImmediately=True)]

    question = await ada.look(f"/app/bulk/archive?{query(chosen)}")
    answer = await press(ada, "archive", chosen)

    assert "Withdraw or archive 2 sessions?" in question.words
    assert "Withdrawn" in question.words
    assert "Nobody is emailed" in question.words
    assert [item["value"] for item in question.all("input") if item.get("name") == "session"] == chosen
    assert answer.headers["location"] == "/app?bulk=archive&count=2"
    assert "2 sessions were withdrawn or archived." in (await ada.look(answer.headers["location"])).words
    for session_id in chosen:
        assert office.service.sessions.held[SessionId(session_id)].status is SessionStatus.CANCELLED


async def test_the_result_names_what_was_not_done_and_why(office: Office, ada: Visitor) -> None:
    chosen = await make(office, "Archived before", "Lease")
    await office.service.http().delete(f"/api/v1/Session/{chosen[0]}")

    answer = await press(ada, "archive", chosen)
    page = await ada.look(answer.headers["location"])

    assert answer.headers["location"] == f"/app?bulk=archive&count=1&left={chosen[0]}.already-archived"
    told = " ".join(page.words.split())
    assert "1 session was withdrawn or archived. You can restore it. Not done:" in told
    assert (
        "Archived before : The session is already archived." in told
        or "Archived before: The session is already archived." in told
    )


async def test_several_are_reminded_after_a_page_that_names_who_is_emailed(office: Office, ada: Visitor) -> None:
    sent, reminded = await make(office, "Lease", "Reminded", sendImmediately=True)
    (draft,) = await make(office, "Draft")
    await press(ada, "remind", [reminded])

    question = await ada.look(f"/app/bulk/remind?{query([sent, reminded, draft])}")
    answer = await press(ada, "remind", [sent, reminded, draft])

    told = " ".join(question.words.split())
    assert "Remind the recipients of 3 sessions?" in told
    assert told.count("Emailed: Ada Lovelace") == 1
    assert "Reminded Nobody is emailed: they were reminded within the last hour" in told
    assert "Draft Nobody is emailed: the session isn’t open for signing." in told
    assert answer.headers["location"] == (
        f"/app?bulk=remind&count=1&left={reminded}.reminded-lately&left={draft}.session-not-active"
    )
    result = (await ada.look(answer.headers["location"])).words
    assert "Reminders for 1 session are on their way." in result
    assert "within the last hour" in result
    for session_id, reminders in ((sent, 1), (reminded, 1), (draft, 0)):
        assert office.service.sessions.held[SessionId(session_id)].recipients[0].reminders == reminders


async def test_one_zip_has_a_folder_for_each_completed_session(office: Office, ada: Visitor) -> None:
    chosen = await make(office, "Lease", "Lease", "Open", sendImmediately=True)
    for session_id in chosen[:2]:
        await office.service.generate(await office.service.complete(session_id))

    answer = await ada.browser.get(f"/app/bulk/download?{query(chosen)}")

    assert 'filename="Signed documents.zip"' in answer.headers["content-disposition"]
    with ZipFile(BytesIO(answer.content)) as packed:
        assert packed.namelist() == [
            "Lease/Agreement.pdf",
            "Lease/Lease - certificate of completion.pdf",
            "Lease (2)/Agreement.pdf",
            "Lease (2)/Lease - certificate of completion.pdf",
            "Not included.txt",
        ]
        assert "Open: It isn’t completed" in packed.read("Not included.txt").decode()


async def test_of_sessions_that_are_not_completed_there_is_no_zip(office: Office, ada: Visitor) -> None:
    chosen = await make(office, "Open", sendImmediately=True)

    answer = await ada.browser.get(f"/app/bulk/download?{query(chosen)}")

    assert answer.status_code == 303
    words = (await ada.look(answer.headers["location"])).words
    assert "None of these sessions can be downloaded." in words
    assert "It isn’t completed" in words


async def test_nothing_is_done_without_a_choice_or_to_sessions_of_others(office: Office, ada: Visitor) -> None:
    chosen = await make(office, "Lease")
    eve = await office.come_in(EVE)

    for answer in (
        await press(ada, "archive", []),
        await press(ada, "explode", chosen),
        await press(eve, "archive", chosen),
        await eve.browser.get(f"/app/bulk/download?{query(chosen)}"),
        await eve.browser.get(f"/app/bulk/archive?{query(chosen)}"),
        await ada.browser.get("/app/bulk/restore?session=%00"),
    ):
        assert answer.headers["location"] == "/app?error=none-chosen"
    assert office.service.sessions.held[SessionId(chosen[0])].status is SessionStatus.DRAFT
    assert "Select at least one session first." in (await ada.look("/app?error=none-chosen")).words


async def test_another_site_downloads_nothing(office: Office, ada: Visitor) -> None:
    chosen = await make(office, "Lease")
    answer = await ada.browser.get(f"/app/bulk/download?{query(chosen)}", headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/app")


async def test_results_of_other_organisations_are_not_named(office: Office) -> None:
    chosen = await make(office, "Secret lease")
    eve = await office.come_in(EVE)

    page = await eve.look(f"/app?bulk=archive&count=0&left={chosen[0]}.already-archived")

    assert "Secret lease" not in page.words
