"""Every credential that a client or a user gets ends with each act that ends its origin, and stays ended."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import NamedTuple

import httpx
import pytest

from application.credentials_in_force import is_in_force
from application.scopes import Scope
from domain.ports.database import User
from domain.shared.ids import ClientId, UserId
from domain.shared.roles import Role
from tests.api.mcp.test_access import calling, post
from tests.api.oauth.program import Program
from tests.api.service import BASE_URL
from tests.builders import NOON, ORGANISATION, identifier
from tests.web.app.office import Office, Visitor

USERS, CLIENTS = "/app/organisation/users", "/app/organisation/clients"
ALL_SCOPES = {"scope": [scope.value for scope in Scope]}
IDA = User(UserId(identifier("ida")), ORGANISATION, "ida@northwind.example", "Ida Rhodes", Role.ADMINISTRATOR)
Works = Callable[[], Awaitable[bool]]


def credentials_on(answer: httpx.Response) -> tuple[str, str]:
    """The identifier and the secret on the page that shows a new secret."""
    client_id, secret = re.findall(r"<code>([\w-]+)</code>", answer.text)[:2]
    return client_id, secret


class Place:
    """An organisation in which Ada administers, Ida has credentials of each kind, and so has a client."""

    def __init__(self, office: Office, ada: Visitor) -> None:
        self.office = office
        self.service = office.service
        self.ada = ada

    async def token(self, client_id: str, secret: str) -> dict[str, str]:
        form = {"grant_type": "client_credentials", "scope": " ".join(Scope)}
        answer = await self.service.http(None).post("/oidc/token", data=form, auth=(client_id, secret))
        assert answer.status_code == 200, answer.text
        return {"Authorization": f"Bearer {answer.json()['access_token']}"}

    async def add_client(self) -> tuple[str, str]:
        new = f"{CLIENTS}/new"
        token = (await self.ada.look(new)).form()["form"]
        form = {"form": token, "name": "Shop", **ALL_SCOPES}
        return credentials_on(await self.ada.browser.post(new, data=form))

    async def signing_url(self, headers: dict[str, str]) -> str:
        """The path of a new signing URL that the bearer of `headers` asked for."""
        made = await self.service.create(sendImmediately=True)
        path = f"/api/v1/Session/{made['sessionId']}/Recipient/{made['recipients'][0]['recipientId']}/SigningUrl"
        answer = await self.service.http(None).post(path, headers=headers)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["url"]).removeprefix(BASE_URL)

    async def download_url(self, headers: dict[str, str]) -> str:
        """The path of a pre-signed URL that the bearer of `headers` asked for."""
        made = await self.service.create(sendImmediately=True)
        await self.service.generate(await self.service.complete(made["sessionId"]))
        answer = await self.service.http(None).get(f"/api/v1/Session/{made['sessionId']}/Documents", headers=headers)
        _, download = self.service.objects.downloads[answer.json()["documents"][0]["url"]]
        self.service.downloads.held[made["sessionId"]] = (b"%PDF-", download)
        return f"/objects/{made['sessionId']}"

    def works(self, path: str, headers: dict[str, str] | None = None, is_open: int = 200) -> Works:
        async def call() -> bool:
            answer = await self.service.http(None).get(path, headers=headers or {})
            return answer.status_code == is_open

        return call

    async def of_bearer(self, kind: str, headers: dict[str, str], client_id: str) -> dict[str, Works]:
        """The credentials that come from an access token."""
        opened = await self.office.browser().get(await self.signing_url(headers))
        standing = await self.service.organisations.find_standing(ORGANISATION, client_id)

        async def batch() -> bool:
            origin = (ORGANISATION, ClientId(client_id), standing.generation)
            return await is_in_force(self.service.services(), *origin, Scope.WRITE_SESSIONS)

        async def assistant() -> bool:
            asked = calling("list_sessions")
            return (await post(self.service, asked, {**headers})).status_code == httpx.codes.OK

        return {
            f"{kind} assistant": assistant,
            f"{kind} access token": self.works("/api/v1/Sessions", headers),
            f"{kind} signing URL": self.works(await self.signing_url(headers), is_open=303),
            f"{kind} visit": self.works(opened.headers["location"]),
            f"{kind} batch": batch,
            f"{kind} download URL": self.works(await self.download_url(headers)),
        }

    async def of_client(self) -> tuple[str, dict[str, Works]]:
        client_id, secret = await self.add_client()
        return client_id, await self.of_bearer("client's", await self.token(client_id, secret), client_id)

    async def of_user(self) -> dict[str, Works]:
        visitor, program = await self.office.come_in(IDA), await Program(self.office).register()
        tokens = await program.connect(visitor, scope=" ".join(Scope), form=ALL_SCOPES)
        clients = await self.service.organisations.list_clients(ORGANISATION)
        app = next(one for one in clients if one.created_by == IDA.user_id)
        headers = {"Authorization": f"Bearer {tokens['access_token']}"}
        code = await program.code(visitor)
        await self.office.browser().post("/app/sign-in", data={"email": IDA.email})
        link = self.office.mailed_link()
        await visitor.press(f"{USERS}/new", on=f"{USERS}/new", name="Joan", email="joan@x.example", role="sender")
        invited = self.office.mailed_link()

        async def exchanges() -> bool:
            return (await program.trade(code)).status_code == 200

        async def refreshes() -> bool:
            return (await program.refresh(tokens["refresh_token"])).status_code == 200

        sent = await self.service.create(sendImmediately=True)
        session, person = sent["sessionId"], sent["recipients"][0]["recipientId"]
        sign_here = f"/app/sessions/{session}/recipients/{person}/sign-here"
        here = (await visitor.press(sign_here, on=sign_here, way="here")).headers["location"]
        page = (await self.office.browser().get(here)).headers["location"]

        async def signed_in() -> bool:
            return (await visitor.browser.get("/app")).status_code == 200

        return {
            "sign-in": signed_in,
            "sign-in link": self.works(link),
            "invitation": self.works(invited),
            "visit": self.works(page),
            "authorization code": exchanges,
            "refresh token": refreshes,
            **await self.of_bearer("app's", headers, app.client_id),
        }


class Ending(NamedTuple):
    """An act, what undoes it, and whether it ends what comes from a client or from a user."""

    name: str
    of: str


ENDINGS = [
    Ending("revoked", "client"),
    Ending("secret replaced", "client"),
    Ending("disabled and enabled", "user"),
    Ending("role changed and back", "user"),
    Ending("closed", "client"),
    Ending("closed", "user"),
]


async def end(place: Place, ending: Ending, client_id: str) -> None:
    ida, client = f"{USERS}/{IDA.user_id}", f"{CLIENTS}/{client_id}"
    acts: dict[str, list[tuple[str, dict[str, str]]]] = {
        "revoked": [(f"{client}/revoke", {})],
        "secret replaced": [(f"{client}/rotate", {"end_tokens": "on"})],
        "disabled and enabled": [(f"{ida}/disable", {}), (f"{ida}/enable", {})],
        "role changed and back": [(ida, {"name": IDA.name, "role": role}) for role in ("viewer", "administrator")],
    }
    if ending.name == "closed":
        await place.service.organisations.close(ORGANISATION, datetime.now(UTC))
    for path, form in acts.get(ending.name, []):
        answer = await place.ada.press(path, **form)
        assert "error" not in answer.headers.get("location", ""), answer.headers


@pytest.fixture
async def place(office: Office, ada: Visitor) -> Place:
    await office.service.users.add(IDA)
    return Place(office, ada)


async def test_each_credential_works_before_it_is_ended(place: Place) -> None:
    _, of_client = await place.of_client()
    works = {**of_client, **await place.of_user()}
    assert {name: await check() for name, check in works.items()} == dict.fromkeys(works, True)


@pytest.mark.parametrize("ending", ENDINGS, ids=" of ".join)
async def test_each_ending_ends_every_credential_of_its_origin(place: Place, ending: Ending) -> None:
    client_id, of_client = await place.of_client()
    works = of_client if ending.of == "client" else await place.of_user()

    await end(place, ending, client_id)

    assert {name: await check() for name, check in works.items()} == dict.fromkeys(works, False)


@pytest.mark.parametrize("ending", [one for one in ENDINGS if one.name != "closed"], ids=" of ".join)
async def test_an_ending_ends_nothing_of_others(place: Place, ending: Ending) -> None:
    client_id, of_client = await place.of_client()
    others = await place.of_user() if ending.of == "client" else of_client
    await end(place, ending, client_id)
    assert {name: await check() for name, check in others.items()} == dict.fromkeys(others, True)


async def test_a_client_goes_on_with_a_new_token_after_its_tokens_were_ended(place: Place) -> None:
    client_id, _ = await place.add_client()
    credentials = credentials_on(await place.ada.press(f"{CLIENTS}/{client_id}/rotate", end_tokens="on"))
    headers = await place.token(*credentials)
    assert await place.works("/api/v1/Sessions", headers)()


async def test_a_client_that_loses_the_scope_opens_documents_no_more(place: Place) -> None:
    client_id, works = await place.of_client()
    await place.ada.press(f"{CLIENTS}/{client_id}/scopes", scope=Scope.READ_SESSIONS.value)
    ended = {name: await check() for name, check in works.items()}
    assert [name for name, is_open in ended.items() if is_open] == [
        "client's assistant",
        "client's access token",
        "client's download URL",
    ]


async def test_nobody_is_signed_in_by_a_link_from_before_the_end(place: Place) -> None:
    await place.office.browser().post("/app/sign-in", data={"email": IDA.email})
    link = place.office.mailed_link()
    await place.service.users.disable(IDA.user_id, NOON)
    await place.service.users.enable(IDA.user_id)
    answer: httpx.Response = await place.office.browser().post(link, data={"user": IDA.user_id})
    assert answer.status_code == 410 or "set-cookie" not in answer.headers
    assert (await place.office.browser().get(link)).status_code != 200
