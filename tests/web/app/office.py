"""The app on fakes: an organisation with its people, and browsers in which they are signed in."""

import re
from datetime import UTC, datetime
from itertools import count
from typing import Any

import httpx

from domain.ports.database import User
from domain.ports.sign_ins import SignIn
from domain.shared.ids import UserId
from domain.shared.object_names import digest
from domain.shared.roles import Role
from tests.api.service import BASE_URL, STRANGER, Service
from tests.builders import NOON, ORGANISATION, identifier
from tests.web.html import Page
from web.app.app_cookies import cookie_name

ADA = User(UserId(identifier("ada the user")), ORGANISATION, "ada@northwind.example", "Ada Byron", Role.ADMINISTRATOR)
EVE = User(
    UserId(identifier("eve the user")), STRANGER.organisation_id, "eve@another.example", "Eve", Role.ADMINISTRATOR
)
Made = dict[str, Any]
"""A session as the API answers."""

FOREVER = NOON.replace(year=2126)


class Office:
    """A service with people of two organisations."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._secrets = count(1)

    async def seed(self) -> None:
        for user in (ADA, EVE):
            await self.service.users.add(user)

    def browser(self, base_url: str = BASE_URL, address: str = "192.0.2.7", **headers: str) -> httpx.AsyncClient:
        """A browser at that network address, with a cookie jar of its own."""
        transport = httpx.ASGITransport(app=self.service.app, client=(address, 40000))
        return httpx.AsyncClient(transport=transport, base_url=base_url, headers=headers)

    async def come_in(self, user: User = ADA) -> "Visitor":
        """The browser of a signed-in user."""
        secret = f"secret {next(self._secrets)} of {user.name}"
        (member,) = [
            one for one in await self.service.sign_ins.list_members(user.email) if one.user.user_id == user.user_id
        ]
        generation = member.standing.generation
        sign_in = SignIn(digest(secret.encode()), user.user_id, datetime.now(UTC), FOREVER, generation)
        await self.service.sign_ins.start(sign_in)
        browser = self.browser()
        browser.cookies.set(cookie_name(BASE_URL), secret)
        return Visitor(browser)

    def mailed_link(self) -> str:
        """The path of the link in the latest mail."""
        found = re.search(rf"{BASE_URL}(/app/sign-in/\S+)", self.service.mailer.sent[-1].text)
        assert found, "no link in the mail"
        return found.group(1)


class Visitor:
    def __init__(self, browser: httpx.AsyncClient) -> None:
        self.browser = browser

    async def look(self, path: str = "/app", status: int = 200) -> Page:
        answer = await self.browser.get(path)
        assert answer.status_code == status, answer.text
        return Page(answer.text)

    async def press(self, path: str, on: str = "/app/organisation", **form: str) -> httpx.Response:
        """Posts a form to `path` with the token of the page `on`."""
        token = str((await self.look(on)).all("input")[0]["value"])
        return await self.browser.post(path, data={"form": token, **form})
