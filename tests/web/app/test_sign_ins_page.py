"""A user sees and ends their sign-ins; an administrator those of others. Strangers do not hinder a sign-in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from structlog.testing import capture_logs

from adapters.database.tables.organisations import SignInRow
from adapters.rate_limit_counters import limit_in_memory
from domain.ports.administrative_acts import ActKind
from domain.ports.limits import Quotas
from domain.ports.sign_ins import LinkLimits
from tests.builders import ORGANISATION
from tests.web.app.office import ADA, EVE, Office, Visitor
from tests.web.html import Page
from web.app.app_router import RECENT

SIGN_INS = "/app/sign-ins"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0"


async def sign_in(office: Office, **headers: str) -> Visitor:
    browser = office.browser(address="198.51.100.9", **headers)
    await browser.post("/app/sign-in", data={"email": ADA.email})
    await browser.post(office.mailed_link(), data={"user": ADA.user_id})
    return Visitor(browser)


async def is_in(visitor: Visitor) -> bool:
    return (await visitor.browser.get("/app")).status_code == 200


async def test_a_user_sees_their_sign_ins_and_ends_one_or_all_others(office: Office) -> None:
    here, there, third = await sign_in(office), await sign_in(office, **{"user-agent": FIREFOX}), await sign_in(office)
    page = await here.look(SIGN_INS)
    assert "Firefox on Windows" in page.words
    assert "198.51.100.9" in page.words
    assert page.words.count("this browser") == 1
    form = page.form()["form"]
    theirs = next(
        s for s in await office.service.sign_ins.list(ADA.user_id, datetime.now(UTC)) if s.user_agent == FIREFOX
    )

    await here.browser.post(f"{SIGN_INS}/end", data={"form": form, "sign_in": theirs.secret_sha256})
    assert [await is_in(one) for one in (here, there, third)] == [True, False, True]

    await here.press(f"{SIGN_INS}/end", on=SIGN_INS)
    assert [await is_in(one) for one in (here, there, third)] == [True, False, False]
    [act, _] = await office.service.acts.list(ORGANISATION, 2)
    assert (act.change.kind, act.actor_id) == (ActKind.USER_SIGN_INS_ENDED, ADA.user_id)


async def test_nobody_ends_sign_ins_of_others_without_the_right(office: Office, ada: Visitor) -> None:
    eve = await office.come_in(EVE)
    [theirs] = await office.service.sign_ins.list(EVE.user_id, datetime.now(UTC))
    await ada.press(f"{SIGN_INS}/end", on=SIGN_INS, sign_in=theirs.secret_sha256)
    foreign = await ada.press(f"/app/organisation/users/{EVE.user_id}/sign-ins/end", sign_in=theirs.secret_sha256)
    assert foreign.status_code == 404
    assert await is_in(eve)


async def test_an_administrator_ends_the_sign_ins_of_a_user(office: Office, ada: Visitor) -> None:
    ida = replace(ADA, user_id=EVE.user_id.replace("0", "1"), email="ida@northwind.example")  # type: ignore[arg-type]
    await office.service.users.add(ida)
    theirs = await office.come_in(ida)
    page = f"/app/organisation/users/{ida.user_id}"
    answer = await ada.press(f"{page}/sign-ins/end", on=page)
    assert answer.headers["location"] == f"{page}?done=sign-ins-ended"
    assert [await is_in(one) for one in (theirs, ada)] == [False, True]


@pytest.mark.parametrize(
    "path",
    ["/app/organisation/clients/new", "/app/organisation/webhooks/secret", f"/app/organisation/users/{ADA.user_id}"],
)
async def test_secrets_and_roles_need_a_recent_sign_in(office: Office, ada: Visitor, path: str) -> None:
    def age(row: SignInRow) -> None:
        row.began_at = datetime.now(UTC) - RECENT - timedelta(minutes=1)

    await office.service.database.edit(SignInRow, age)

    answer = await ada.press(path, name="Ada", role="administrator")

    assert answer.headers["location"].startswith("/app/sign-in?to=%2Fapp%2Forganisation")
    assert "sign in again" in (await ada.look(answer.headers["location"])).words


async def test_strangers_never_have_a_request_of_the_user_refused(office: Office) -> None:
    office.service.use(quotas=Quotas(pages=0), rate_limits=limit_in_memory())
    known = (await sign_in(office)).browser
    for number in range(30):
        stranger = office.browser(address=f"203.0.113.{number}")
        for _ in range(6):
            await stranger.post("/app/sign-in", data={"email": ADA.email})
    neighbour = office.browser(address="198.51.100.9")  # in the network of the user
    refused = [(await neighbour.post("/app/sign-in", data={"email": ADA.email})).status_code for _ in range(6)]
    sent = len(office.service.mailer.sent)

    own = await known.post("/app/sign-in", data={"email": ADA.email})
    elsewhere = await office.browser(address="192.0.2.200").post("/app/sign-in", data={"email": ADA.email})

    assert refused[-1] == 429
    assert (own.status_code, elsewhere.status_code) == (200, 200)
    assert len(office.service.mailer.sent) == sent + 1  # to the browser of the user
    assert sent <= 1 + LinkLimits().of_strangers
    entered = await known.post(office.mailed_link(), data={"user": ADA.user_id})
    assert entered.headers["location"] == "/app"


async def test_the_cookie_of_a_known_browser_counts_for_its_user_only(office: Office) -> None:
    office.service.use(quotas=Quotas(pages=0), rate_limits=limit_in_memory())
    known = (await sign_in(office)).browser
    statuses = [(await known.post("/app/sign-in", data={"email": EVE.email})).status_code for _ in range(5)]
    assert statuses == [200] * 4 + [429]


async def test_the_page_of_a_link_is_the_same_for_one_organisation(office: Office) -> None:
    await office.browser().post("/app/sign-in", data={"email": ADA.email})
    page = Page((await office.browser().get(office.mailed_link())).text)
    assert "Sign in to Northwind Trading" in page.words


async def test_refused_sign_ins_are_logged_without_the_address(office: Office) -> None:
    with capture_logs() as logged:
        await office.browser().post("/app/sign-in", data={"email": "nobody@northwind.example"})
        await office.browser().get("/app/sign-in/used")
    events = [line["event"] for line in logged]
    assert "no sign-in link was sent: no user who is not disabled has the address" in events
    assert "a sign-in link was refused: it was used, has expired, or was ended" in events
    assert "nobody@northwind.example" not in str(logged)
