"""Every row of the table of limits, just within and just beyond, asked by clients. Specification 8."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tests.api.service import Service, document, session_request
from tests.application.uploads.images.test_session_images import LOGO, upload

Documented = Callable[[Any], dict[str, Any]]


def of_block(type_: str, **members: Any) -> dict[str, Any]:
    return document(blocks=[{"type": type_, **members}])


def of_field(field_type: str, count: int) -> dict[str, Any]:
    options = {"options": [f"option {number}" for number in range(count)]} if count else {}
    return of_block("field", fieldType=field_type, label="Size", recipient="ada", **options)


def of_row(count: int) -> dict[str, Any]:
    fields = [{"fieldType": "text", "label": f"Field {number}", "recipient": "ada"} for number in range(count)]
    return of_block("fieldRow", fields=fields)


class Limit(NamedTuple):
    """A document with a value of the limited kind in it, values that are taken, and values that are not."""

    made: Documented
    taken: list[Any]
    refused: list[Any]


PARAGRAPH = {"type": "paragraph", "text": "x"}
LIMITS = {
    "title: about 30 characters, one line": Limit(
        lambda n: document(title=("Agreement " * 9)[:n]), [1, 29, 30, 41], [0, 42, 80]
    ),
    "subtitle: 200 characters": Limit(lambda n: document(subtitle="s" * n), [0, 199, 200], [201]),
    "blocks: 1 to 500": Limit(lambda n: document(blocks=[PARAGRAPH] * n), [1, 2, 499, 500], [0, 501]),
    "heading: 500 characters": Limit(
        lambda n: of_block("heading", text="ab cd" * (n // 5) + "x" * (n % 5)), [1, 499, 500], [0, 501]
    ),
    "paragraph fontSize: 7 to 24": Limit(
        lambda n: of_block("paragraph", text="x", fontSize=n), [7, 7.01, 23.99, 24], [6.99, 24.01]
    ),
    "bulletList: 1 to 50 items": Limit(lambda n: of_block("bulletList", items=["x"] * n), [1, 2, 49, 50], [0, 51]),
    "spacer: 1 to 600 points": Limit(lambda n: of_block("spacer", height=n), [1, 1.01, 599.99, 600], [0.99, 600.01]),
    "fieldRow: 2 or 3 fields": Limit(of_row, [2, 3], [1, 4]),
    "options of a radio: 2 to 20": Limit(lambda n: of_field("radio", n), [2, 3, 19, 20], [0, 1, 21]),
    "options of a dropdown: 2 to 20": Limit(lambda n: of_field("dropdown", n), [2, 3, 19, 20], [0, 1, 21]),
    "options of a checkbox: none, or 1 to 20": Limit(lambda n: of_field("checkbox", n), [0, 1, 2, 19, 20], [21]),
    "signatureBlock label: 100 characters": Limit(
        lambda n: of_block("signatureBlock", recipient="ada", label="l" * n), [1, 99, 100], [0, 101]
    ),
}
CASES = [(row, value, True) for row, limit in LIMITS.items() for value in limit.taken]
CASES += [(row, value, False) for row, limit in LIMITS.items() for value in limit.refused]


async def is_taken(service: Service, made: dict[str, Any]) -> bool:
    """Whether a session can be made of that document; when it cannot, that must be said as it should be."""
    answer = await service.http().post(
        "/api/v1/Session", json=session_request(files=[{"type": "blocks", "document": made}])
    )
    if answer.status_code == 200:
        return True
    assert (answer.status_code, bool(answer.json()["issues"])) == (400, True)
    assert all(issue["path"].startswith("/files/0/document") for issue in answer.json()["issues"])
    return False


@pytest.mark.parametrize(("row", "value", "taken"), CASES, ids=str)
async def test_a_value_is_accepted_up_to_its_limit(service: Service, row: str, value: Any, taken: bool) -> None:
    assert await is_taken(service, LIMITS[row].made(value)) == taken


@pytest.mark.parametrize(("member", "most"), [("image", 483), ("logo", 130)])
async def test_images_are_20_to_483_points_wide_and_logos_20_to_130(service: Service, member: str, most: float) -> None:
    image = {"fileId": await upload(service, LOGO)}
    for width, taken in (
        (19.99, False), (20, True), (20.01, True), (most - 0.01, True), (most, True), (most + 0.01, False),
    ):  # fmt: skip
        shown = {**image, "width": width}
        made = of_block("image", **shown) if member == "image" else document(logo=shown)
        assert await is_taken(service, made) == taken, width


def request_with(page_break: dict[str, Any]) -> dict[str, Any]:
    written = document()
    written["blocks"] = [
        *written["blocks"],
        {"type": "pageBreak", **page_break},
        {"type": "paragraph", "text": "Annex"},
    ]
    return session_request(files=[{"type": "blocks", "document": written}])


@pytest.mark.parametrize(
    "page_break",
    [
        {"headerScope": "section"},
        {"headerScope": "document", "header": None},
        {"headerScope": None, "header": None},
        {"headerScope": "", "header": None},
    ],
)
async def test_a_scope_of_nothing_and_unknown_ones_are_refused(service: Service, page_break: dict[str, Any]) -> None:
    answer = await service.http().post("/api/v1/Session", json=request_with(page_break))

    at = len(document()["blocks"])
    assert answer.status_code == 400
    paths = [issue["path"] for issue in answer.json()["issues"]]
    assert paths == [f"/files/0/document/blocks/{at}/headerScope"]


@pytest.mark.parametrize("scope", ["page", "section"])
@pytest.mark.parametrize("header", [None, {"title": "Annex"}])
async def test_both_scopes_are_taken(service: Service, scope: str, header: object) -> None:
    body = request_with({"headerScope": scope, "header": header})
    assert (await service.http().post("/api/v1/Session", json=body)).status_code == 200
