"""The office whose people may sign in by an OpenID provider, and their way there and back."""

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import httpx

from adapters.openid.config import ProviderClient
from adapters.openid.provider import HttpOpenIdProvider
from application.tokens.openid_code_flow import SignInProvider
from tests.api.service import BASE_URL
from tests.http_requests import local_client
from tests.openid_provider import CLIENT_ID, CLIENT_SECRET, Provider
from tests.web.app.office import Office
from tests.web.html import Page

START = "/app/sign-in/provider"
NAME = "Acme"


def use(office: Office, provider: Provider, http: httpx.AsyncClient, **others: Any) -> None:
    url = provider.issuer.url
    client = HttpOpenIdProvider(ProviderClient(url, CLIENT_ID, CLIENT_SECRET), http)
    known = SignInProvider(NAME, url, CLIENT_ID, provider.redirect_uri, client)
    office.service.app.state.services = office.service.services(sign_in_provider=known, **others)


async def at_provider(browser: httpx.AsyncClient, start: str = START) -> str:
    """Begins, and signs in at the provider; the address to which it sends the browser back."""
    begun = await browser.get(start)
    assert begun.status_code == 303, begun.text
    async with local_client() as elsewhere:
        answer = await elsewhere.get(begun.headers["location"])
    assert answer.status_code == 303, answer.text
    location = answer.headers["location"]
    assert location.startswith(f"{BASE_URL}/app/sign-in/provider/callback?")
    return str(location)


async def come_back(office: Office, browser: httpx.AsyncClient | None = None, start: str = START) -> httpx.Response:
    browser = browser or office.browser()
    return await browser.get(await at_provider(browser, start))


def told(answer: httpx.Response) -> str:
    """The refusal on a sign-in page."""
    page = Page(answer.text)
    assert page.input("email")["type"] == "email"  # the other way in
    assert any(attributes.get("role") == "alert" for attributes in page.all("p"))
    assert not any(name.split("=")[0] == "undersign-app" for name in answer.headers.get_list("set-cookie"))
    return page.words


def changed(address: str, **parameters: str | None) -> str:
    """The address with other parameters; None removes one."""
    parts = urlsplit(address)
    query = {**dict(parse_qsl(parts.query)), **parameters}
    return urlunsplit(parts._replace(query=urlencode({name: value for name, value in query.items() if value})))


def parameter(address: str, name: str) -> str:
    return dict(parse_qsl(urlsplit(address).query))[name]
