"""The page `/docs`: complete without the internet."""

import re

import pytest

from tests.api.service import BASE_URL, Service


async def test_the_page_and_all_that_it_loads_come_from_here(service: Service) -> None:
    async with service.http(None) as http:
        page = await http.get("/docs")
        loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)
        answers = {address: await http.get(address) for address in loaded}

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert {"/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/openapi.json"} <= set(loaded)
    assert {address: answer.status_code for address, answer in answers.items()} == dict.fromkeys(loaded, 200)
    assert [address for address in loaded if not address.startswith("/")] == []


async def test_the_policy_allows_only_own_files(service: Service) -> None:
    answer = await service.http(None).get("/docs")

    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert (answer.headers["cache-control"], answer.headers["cross-origin-opener-policy"]) == (
        "no-store",
        "same-origin",
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert not any("http" in sources for sources in policy.values())


@pytest.mark.parametrize("name", ["nothing.js", "..%2f__init__.py", "__init__.py", "reference.html"])
async def test_only_files_of_the_page_are_served(service: Service, name: str) -> None:
    answer = await service.http(None).get(f"/docs/{name}")
    assert (answer.status_code, answer.json()["error"]) == (404, "NOT_FOUND")


async def test_the_description_that_the_page_shows_is_served_beside_it(service: Service) -> None:
    answer = await service.http(None).get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["servers"] == [{"url": BASE_URL}]


@pytest.mark.parametrize("path", ["/openapi.json", "/docs/reference.js"])
async def test_a_client_that_has_the_file_gets_no_body(service: Service, path: str) -> None:
    first = await service.http(None).get(path)
    for known in (first.headers["etag"], f'"x", W/{first.headers["etag"]}'):
        again = await service.http(None).get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert (await service.http(None).get(path, headers={"If-None-Match": '"x"'})).status_code == 200
