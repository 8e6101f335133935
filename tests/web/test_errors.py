"""Pages where no route answers: for browsers, and JSON for programs."""

import pytest
from fastapi import Request

from tests.api.service import Service

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/nothing", 404), ("GET", "/sign/", 404), ("PUT", "/app", 405)]
)
async def test_browsers_get_a_page(service: Service, method: str, path: str, status: int) -> None:
    answer = await service.http(None).request(method, path, headers=BROWSER)

    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert "Page not found" in answer.text
    assert '<a href="/">Undersign</a>' in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert ("allow" in answer.headers) == (status == 405)


@pytest.mark.parametrize(
    ("path", "accept"), [("/nothing", "*/*"), ("/nothing", "application/json"), ("/api/v1/nothing", BROWSER["Accept"])]
)
async def test_programs_get_json(service: Service, path: str, accept: str) -> None:
    answer = await service.http(None).get(path, headers={"Accept": accept})

    assert (answer.status_code, answer.json()["error"]) == (404, "NOT_FOUND")


async def test_an_unexpected_error_is_a_page_with_the_number_of_the_request(service: Service) -> None:
    @service.app.get("/broken")
    async def broken(request: Request) -> None:
        raise ZeroDivisionError("an internal secret")

    answer = await service.http(None).get("/broken", headers={**BROWSER, "X-Request-Id": "request-17"})

    assert (answer.status_code, answer.headers["x-request-id"]) == (500, "request-17")
    assert "Something went wrong" in answer.text
    assert "request-17" in answer.text
    assert "secret" not in answer.text
