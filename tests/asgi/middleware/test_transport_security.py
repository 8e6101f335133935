"""Browsers that have seen the service over https never ask for it without."""

import pytest

from tests.api.service import Service


@pytest.mark.parametrize(
    ("base_url", "value"), [("https://sign.example.com", "max-age=31536000"), ("http://localhost:8080", None)]
)
async def test_every_answer_says_so_where_the_public_address_is_https(
    service: Service, base_url: str, value: str | None
) -> None:
    service.use(base_url=base_url)

    for path in ("/", "/app", "/api/v1/Sessions", "/openapi.json", "/nothing"):
        answer = await service.http(None).get(path)
        assert answer.headers.get("strict-transport-security") == value
