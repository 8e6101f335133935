"""Whatever is posted as a session is answered with 200 or with 400 and its mistakes, never with an error of ours."""

from http import HTTPStatus

from tests.api.service import Service, document, session_request

ODD: list[object] = [
    None, True, 0, -1, 1e300, "", "x", "\u0000", "\u202e", [], {}, [[]], [{}], {"type": []}, {"type": None},
]  # fmt: skip


async def test_odd_values_in_any_member_of_a_block_are_refused_with_their_place(service: Service) -> None:
    field = {"fieldType": "dropdown", "label": "Size", "recipient": "ada", "options": ["S", "M"]}
    blocks = [
        {"type": "heading", "text": "x"},
        {"type": "bulletList", "items": ["x"]},
        {"type": "field", **field, "name": "size", "required": True, "placeholder": "x"},
        {"type": "fieldRow", "fields": [{**field, "label": "One"}, {**field, "label": "Other"}]},
        {"type": "pageBreak", "header": {"title": "x"}},
        {"type": "signatureBlock", "label": "x", "recipient": "ada"},
    ]
    for at, block in enumerate(blocks):
        for member in block:
            for odd in ODD:
                changed = [*blocks[:at], {**block, member: odd}, *blocks[at + 1 :]]
                request = session_request(files=[{"type": "blocks", "document": document(blocks=changed)}])
                answer = await service.http().post("/api/v1/Session", json=request)
                assert answer.status_code in {HTTPStatus.OK, HTTPStatus.BAD_REQUEST}, (block, member, odd)
                if answer.status_code == HTTPStatus.BAD_REQUEST:
                    places = [issue["path"] for issue in answer.json()["issues"]]
                    assert places
                    assert all(place.startswith(f"/files/0/document/blocks/{at}") for place in places), places


async def test_what_is_wrong_with_an_input_is_said_at_its_member_in_rows_too(service: Service) -> None:
    bare = {"label": "Size", "recipient": "ada"}
    blocks = [
        {"type": "field", **bare, "fieldType": "radio"},
        {"type": "field", **bare, "fieldType": "text", "options": ["S", "M"]},
        {
            "type": "fieldRow",
            "fields": [
                {**bare, "fieldType": "dropdown", "options": ["S"]},
                {**bare, "fieldType": "number", "dateFormat": "MM/YY"},
            ],
        },
        {"type": "fieldRow", "fields": [{**bare, "type": "field", "fieldType": "text"}, {**bare, "fieldType": "tel"}]},
        {"type": "field", **bare, "fieldType": "checkbox", "options": ["S", "S"]},
    ]
    request = session_request(files=[{"type": "blocks", "document": document(blocks=blocks)}])

    answer = await service.http().post("/api/v1/Session", json=request)

    assert answer.status_code == HTTPStatus.BAD_REQUEST
    found = {issue["path"].removeprefix("/files/0/document"): issue["message"] for issue in answer.json()["issues"]}
    assert set(found) == {
        "/blocks/0/options", "/blocks/1/options", "/blocks/2/fields/0/options", "/blocks/2/fields/1/dateFormat",
        "/blocks/3/fields/0/type", "/blocks/3/fields/1/fieldType", "/blocks/4/options",
    }  # fmt: skip
    assert found["/blocks/0/options"] == "A radio field needs at least 2 options."
    assert "Leave them out" in found["/blocks/1/options"]
    assert "Leave it out" in found["/blocks/2/fields/1/dateFormat"]
