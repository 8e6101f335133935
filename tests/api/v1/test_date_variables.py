"""Date variables with a form of their own."""

from typing import Any, get_args

import pytest

from domain.session.normalizers import EXAMPLE_DATES
from layout.schema.block_document import DateFormat
from tests.api.service import Service
from tests.api.templates import create_from, lease, make, post, source_of, template_request

NAMES = ("tenant", "address", "rent")


def variables(**start: Any) -> list[dict[str, Any]]:
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
    template = await make(service, document=document, variables=variables(dateFormat=form), recipients=recipients)

    session = await create_from(service, template, variableValues={"start": "2026-03-27"})

    assert template["variables"][-1]["dateFormat"] == form
    assert (await source_of(service, session))["blocks"][0]["text"] == f"From {printed}"


async def test_a_default_is_given_as_a_value_is_and_can_be_posted_again(service: Service) -> None:
    given = variables(dateFormat="DD/MM/YYYY", defaultValue="2026-12-01")
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
    asked = template_request(variables=[*({"name": name, "required": False} for name in NAMES), variable])

    answer = await post(service, "Template", asked)

    assert answer.status_code == 400
    assert [issue["path"] for issue in answer.json()["issues"]] == ["/variables/3/dateFormat"]


async def test_a_default_in_the_printed_form_is_refused(service: Service) -> None:
    asked = template_request(variables=variables(dateFormat="DD/MM/YYYY", defaultValue="01/12/2026"))

    answer = await post(service, "Template", asked)

    assert [issue["path"] for issue in answer.json()["issues"]] == ["/variables/3/defaultValue"]
