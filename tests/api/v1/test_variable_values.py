"""Values of variables in sessions from templates: text, whatever it looks like, and checked where it ends up."""

from typing import Any, get_args

import pytest

from domain.session.value_parsers import EXAMPLE_DATES
from layout.schema.input import DateFormat
from tests.api.service import Service, document, issues_by_path
from tests.api.templates import (
    VALUES,
    create_from,
    lease,
    make,
    post,
    refuse_from,
    source_of,
    template_request,
    use,
    variables,
)

PARAGRAPH = {"type": "paragraph", "text": "x"}


async def test_every_wrong_value_is_named_at_once(service: Service) -> None:
    answer = await refuse_from(
        service,
        await make(service),
        variableValues={"address": " ", "rent": "a lot", "start": "1 July 2026", "note": 5, "a/b": "x", "extra": None},
    )

    assert answer.json()["error"] == "INVALID_VARIABLE_VALUES"
    assert answer.json()["message"].endswith("7 issues.")
    assert set(issues_by_path(answer)) == {
        "/variableValues/tenant", "/variableValues/address", "/variableValues/rent", "/variableValues/start",
        "/variableValues/note", "/variableValues/a~1b", "/variableValues/extra",
    }  # fmt: skip
    assert issues_by_path(answer)["/variableValues/tenant"] == "The variable “tenant” needs a value."


@pytest.mark.parametrize(
    ("type_", "given", "printed"),
    [
        ("text", "x", "x"), ("date", "2026-07-01", "2026-07-01"), ("number", "1,250.00", "1,250.00"),
        ("number", 1250, "1250"), ("number", 12.5, "12.5"),
    ],
)  # fmt: skip
async def test_values_are_printed_as_they_were_given(service: Service, type_: str, given: object, printed: str) -> None:
    template = await make(
        service,
        document=lease(subtitle="{{{value}}}", blocks=[PARAGRAPH]),
        variables=[*variables(), {"name": "value", "type": type_}],
    )

    session = await create_from(service, template, variableValues={**VALUES, "value": given})

    assert (await source_of(service, session))["subtitle"] == printed


@pytest.mark.parametrize(
    "value",
    [
        "{{{address}}}", "{{{nothing}}}", '"}, {"type": "pageBreak"}', "<b>bold</b> & \\1 \\g<0>", "# heading\n* item",
        "a {{{",
    ],
)  # fmt: skip
async def test_a_value_is_text_whatever_it_looks_like(service: Service, value: str) -> None:
    blocks = [{"type": "paragraph", "text": "[{{{tenant}}}]"}, {"type": "bulletList", "items": ["{{{tenant}}}"]}]
    template = await make(service, document=lease(subtitle="x", blocks=blocks))

    session = await create_from(
        service,
        template,
        recipients=[{"name": "Ada", "email": "ada@example.com"}],
        variableValues={**VALUES, "tenant": value},
    )

    assert (await source_of(service, session))["blocks"] == [
        {"type": "paragraph", "text": f"[{value}]"},
        {"type": "bulletList", "items": [value]},
    ]


async def test_a_value_may_close_braces_that_the_template_opens(service: Service) -> None:
    template = await make(service, document=lease(subtitle="{{{{{{tenant}}}}}}", blocks=[PARAGRAPH]))
    session = await create_from(service, template, variableValues={**VALUES, "tenant": "address"})
    assert (await source_of(service, session))["subtitle"] == "{{{address}}}"


@pytest.mark.parametrize(("length", "status"), [(499, 200), (500, 200), (501, 400)])
async def test_lengths_count_with_the_values_in_place(service: Service, length: int, status: int) -> None:
    blocks = [{"type": "heading", "text": "{{{note}}}"}, PARAGRAPH]
    template = await make(service, document=lease(subtitle="x", blocks=blocks))

    answer = await use(service, template, variableValues={**VALUES, "note": "n" * length})

    assert answer.status_code == status
    if status == 400:
        assert issues_by_path(answer) == {
            "/document/blocks/0/text": "Write at most 500 characters. Its values: /variableValues/note."
        }


async def test_all_that_values_make_wrong_is_listed_at_once(service: Service) -> None:
    radio = {"type": "field", "fieldType": "radio", "label": "x", "recipient": "tenant"}
    template = await make(
        service,
        document=lease(
            subtitle="{{{note}}}",
            blocks=[
                {"type": "heading", "text": "{{{address}}}"},
                {"type": "signatureBlock", "label": "{{{note}}}", "recipient": "tenant"},
                {**radio, "options": ["{{{tenant}}}", "{{{start}}}"]},
            ],
        ),
        variables=[
            {"name": "tenant"}, {"name": "start"}, {"name": "note"}, {"name": "address", "required": False},
            {"name": "rent"},
        ],
    )  # fmt: skip

    values = {"tenant": "same", "start": "same", "note": "n" * 201, "rent": "x"}
    answer = await refuse_from(service, template, variableValues=values, recipients=[])

    assert answer.json()["error"] == "INVALID_REQUEST"
    assert set(issues_by_path(answer)) == {
        "/document/subtitle", "/document/blocks/0/text", "/document/blocks/1/label", "/document/blocks/2/options",
        "/recipients",
    }  # fmt: skip


async def test_a_paragraph_whose_variables_have_no_values_is_an_empty_line(service: Service) -> None:
    blocks = [{"type": "paragraph", "text": "{{{note}}}"}, PARAGRAPH]

    session = await create_from(service, await make(service, document=lease(subtitle="{{{note}}}", blocks=blocks)))

    kept = await source_of(service, session)
    assert (kept["subtitle"], kept["blocks"]) == ("", [{"type": "paragraph", "text": " "}, PARAGRAPH])


async def test_the_filled_document_is_laid_out_and_checked(service: Service) -> None:
    field = {"type": "field", "fieldType": "text", "recipient": "tenant"}
    blocks = [{**field, "label": "{{{tenant}}}"}, {**field, "label": "{{{address}}}"}]
    template = await make(service, document=lease(title="{{{note}}}", subtitle="x", blocks=blocks))

    answer = await refuse_from(
        service, template, variableValues={**VALUES, "note": "W" * 60, "tenant": "Same", "address": "Same"}
    )

    assert answer.json()["error"] == "DOCUMENT_VALIDATION_FAILED"
    assert [(issue["kind"], issue["path"], issue["file"]) for issue in answer.json()["issues"]] == [
        ("title-too-long", "/document/title", 0),
        ("duplicate-field-name", "/document/blocks/1/label", 0),
    ]


async def test_characters_of_a_value_that_no_font_can_draw_are_refused(service: Service) -> None:
    answer = await refuse_from(service, await make(service), variableValues={**VALUES, "tenant": "\U00012000"})
    assert set(issues_by_path(answer)) == {"/document/blocks/0/text", "/document/blocks/1/label", "/recipients/0/name"}


async def test_values_that_would_fill_the_memory_are_refused(service: Service) -> None:
    blocks = [{"type": "paragraph", "text": "{{{note}}}" * 2000}]
    template = await make(service, document=lease(subtitle="x", blocks=blocks))

    answer = await refuse_from(service, template, variableValues={**VALUES, "note": "n" * 100_000})

    assert issues_by_path(answer) == {
        "/variableValues": "With these values the document is too long. Give shorter ones."
    }


NAMES = ("tenant", "address", "rent")


def with_start(**start: Any) -> list[dict[str, Any]]:
    return [*({"name": name, "required": False} for name in NAMES), {"name": "start", "type": "date", **start}]


def test_they_have_the_forms_of_date_fields() -> None:
    assert tuple(EXAMPLE_DATES) == get_args(DateFormat)


@pytest.mark.parametrize(("form", "printed"), EXAMPLE_DATES.items())
async def test_a_value_is_printed_in_the_form_of_its_variable(service: Service, form: str, printed: str) -> None:
    document = lease(subtitle=None, blocks=[
        {"type": "paragraph", "text": "From {{{start}}}"},
        {"type": "signatureBlock", "label": "For you", "recipient": "tenant"},
    ])  # fmt: skip
    recipients = [{"key": "tenant", "name": "Ada", "email": "ada@example.com"}]
    template = await make(service, document=document, variables=with_start(dateFormat=form), recipients=recipients)

    session = await create_from(service, template, variableValues={"start": "2026-03-27"})

    assert template["variables"][-1]["dateFormat"] == form
    assert (await source_of(service, session))["blocks"][0]["text"] == f"From {printed}"


async def test_a_default_is_given_as_a_value_is_and_can_be_posted_again(service: Service) -> None:
    given = with_start(dateFormat="DD/MM/YYYY", defaultValue="2026-12-01")
    template = await make(service, variables=given)

    again = await make(service, variables=template["variables"])

    assert template["variables"] == again["variables"]
    assert template["variables"][-1]["defaultValue"] == "2026-12-01"


@pytest.mark.parametrize(
    "variable",
    [
        {"name": "start", "dateFormat": "DD/MM/YYYY"},
        {"name": "start", "type": "text", "dateFormat": "DD/MM/YYYY"},
        {"name": "start", "type": "number", "dateFormat": "YYYY-MM-DD"},
        {"name": "start", "type": "date", "dateFormat": "DD.MM.YYYY"},
        {"name": "start", "type": "date", "dateFormat": ""},
        {"name": "start", "type": "date", "dateFormat": 7},
    ],
)
async def test_other_types_and_other_forms_are_refused(service: Service, variable: dict[str, Any]) -> None:
    request = template_request(variables=[*({"name": name, "required": False} for name in NAMES), variable])

    answer = await post(service, "Template", request)

    assert answer.status_code == 400
    assert [issue["path"] for issue in answer.json()["issues"]] == ["/variables/3/dateFormat"]


async def test_a_default_in_the_printed_form_is_refused(service: Service) -> None:
    request = template_request(variables=with_start(dateFormat="DD/MM/YYYY", defaultValue="01/12/2026"))
    answer = await post(service, "Template", request)
    assert [issue["path"] for issue in answer.json()["issues"]] == ["/variables/3/defaultValue"]


LONG = "An extraordinarily long name of a tenant that no title has room for, however small it is"
WRONG: list[tuple[dict[str, Any], str, str]] = [
    (document(title="Lease {{{tenant}}}"), LONG, "/document/title"),
    (
        document(blocks=[*document()["blocks"], {"type": "pageBreak", "header": {"title": "For {{{ tenant }}}"}}]),
        LONG,
        "/document/blocks/4/header/title",
    ),
    (document(blocks=[{"type": "heading", "text": "{{{tenant}}}"}]), "x" * 501, "/document/blocks/0/text"),
]


@pytest.mark.parametrize(("written", "value", "path"), WRONG)
async def test_the_values_are_named(service: Service, written: dict[str, Any], value: str, path: str) -> None:
    people = [{"key": "ada", "name": "Ada", "email": "ada@example.com"}]
    request = template_request(document=written, recipients=people, variables=[{"name": "tenant"}], activate=True)
    template = (await service.http().post("/api/v1/Template", json=request)).json()

    made = await service.http().post(
        "/api/v1/SessionFromTemplate", json={"templateId": template["templateId"], "variableValues": {"tenant": value}}
    )

    (issue,) = (found for found in made.json()["issues"] if found["path"] == path)
    assert issue["message"].endswith("Its values: /variableValues/tenant.")
