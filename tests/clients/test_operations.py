"""Operations of the client are those of the OpenAPI description: address, parameters, models."""

import inspect
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, get_args, get_type_hints

import httpx
import pytest

from tests import ROOT
from tests.api.operations import DESCRIPTION
from undersign import AsyncClient, Client
from undersign.auth import TOKEN_PATH
from undersign.client import request_of
from undersign.models import EventType
from undersign.operation import Method, Operation
from undersign.operations import Operations
from undersign.session_operations import SessionFilters
from undersign.template_operations import TemplateFilters

NOT_FOR_CLIENTS = {
    *("getHealth", "getReadiness", "getPublicKeys", "getMetadata", "getApiMetadata", "getToolsMetadata"),
    *("registerApplication", "revokeToken"),
}
"""For operators, for resource servers that check tokens, and for registered applications."""

MAKERS: dict[str, Callable[..., Operation[Any]]] = {
    name: getattr(Operations, name)
    for kind in Operations.__mro__
    for name, method in vars(kind).items()
    if isinstance(method, Method)
}


ANSWERS: dict[str, Any] = json.loads((ROOT / "api/openapi/answers.json").read_text("utf-8"))


def example(make: Callable[..., Operation[Any]]) -> Operation[Any]:
    """A call with something in every place: the name of the parameter in the path, a small body otherwise."""
    given = {
        parameter.name: given_for(parameter)
        for parameter in inspect.signature(make).parameters.values()
        if parameter.default is inspect.Parameter.empty and parameter.kind is not inspect.Parameter.VAR_KEYWORD
    }
    return make(**given)


def given_for(parameter: inspect.Parameter) -> Any:
    if parameter.name.endswith("_id"):
        head, *tail = parameter.name.split("_")
        return "{" + head + "".join(part.title() for part in tail) + "}"
    return {"content": b"x", "file": b"x", "file_name": "x", "entry": "/objects/{token}"}.get(parameter.name, {})


DESCRIBED: dict[str, tuple[str, str, dict[str, Any]]] = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, item in DESCRIPTION["paths"].items()
    for method, operation in item.items()
}


def test_every_operation_has_a_method() -> None:
    made = {example(make).name for make in MAKERS.values()}
    assert made | {"createToken"} == DESCRIBED.keys() - NOT_FOR_CLIENTS
    assert DESCRIBED["createToken"][:2] == ("POST", TOKEN_PATH)


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_both_clients_have_a_method_for_every_call(kind: type[Any]) -> None:
    assert {name: getattr(inspect.getattr_static(kind, name), "make", None) for name in MAKERS} == MAKERS


@pytest.mark.parametrize("name", MAKERS)
def test_a_call_goes_where_the_description_says_and_reads_what_it_says(name: str) -> None:
    call = example(MAKERS[name])
    method, path, operation = DESCRIBED[call.name]
    parameters = {parameter["name"]: parameter["in"] for parameter in operation.get("parameters", ())}
    (answer,) = get_args(get_type_hints(MAKERS[name])["return"])

    assert (call.method, call.path.replace("%7B", "{").replace("%7D", "}")) == (method, path)
    assert call.query.keys() <= {name for name, place in parameters.items() if place == "query"}
    assert ("Idempotency-Key" in call.headers) == ("Idempotency-Key" in parameters)
    body = operation.get("requestBody", {"required": False})
    assert call.body is not None or not body.get("required", False)
    assert call.body is None or "requestBody" in operation
    content = operation["responses"]["200"]["content"]
    if answer is bytes:
        assert not content.keys() <= {"application/json"}
    else:
        assert content["application/json"]["schema"]["$ref"].rpartition("/")[2] == answer.__name__


@pytest.mark.parametrize("name", [name for name in MAKERS if example(MAKERS[name]).name in ANSWERS])
def test_a_call_reads_the_example_of_its_response(name: str) -> None:
    call = example(MAKERS[name])
    read = call.read(httpx.Response(200, json=ANSWERS[call.name]))

    assert isinstance(read, bytes) or read.model_dump(mode="json", exclude_unset=True) == ANSWERS[call.name]


def test_values_that_a_later_version_adds_are_read() -> None:
    call, example_of_today = Operations.list_events("7"), ANSWERS["listEvents"]
    later = json.loads(json.dumps(example_of_today).replace('"type": "session.created"', '"type": "session.framed"'))

    event = call.read(httpx.Response(200, json=later)).events[0]

    assert (event.type, event.type.value, type(event.type)) == ("session.framed", "session.framed", EventType)
    assert next(iter(EventType)) is EventType.SESSION_CREATED


def test_identifiers_cannot_lead_to_another_address() -> None:
    request = request_of(Operations.get_session("../Template/x?y#z"), "http://host/")
    assert request.url.raw_path == b"/api/v1/Session/..%2FTemplate%2Fx%3Fy%23z"


def test_every_keyed_call_has_a_key_of_its_own() -> None:
    keys = [Operations.create_session({}).headers["Idempotency-Key"] for _ in range(2)]

    assert keys[0] != keys[1]
    assert all(re.fullmatch("[0-9a-f-]{36}", key) for key in keys)
    assert Operations.create_session({}, idempotency_key="mine").headers["Idempotency-Key"] == "mine"


@pytest.mark.parametrize(
    ("make", "filters"),
    [(Operations.list_sessions, SessionFilters), (Operations.list_templates, TemplateFilters)],
)
def test_every_filter_of_the_description_can_be_given(make: Any, filters: type) -> None:
    operation = make(**dict.fromkeys(get_type_hints(filters), "x"))
    described = DESCRIPTION["paths"][operation.path]["get"]["parameters"]
    assert operation.query.keys() == {parameter["name"] for parameter in described}


def test_metadata_is_a_parameter_for_each_key() -> None:
    call = Operations.list_sessions(external_id="order-7", metadata={"customer": "Northwind", "a b": ""})

    assert call.query == {
        "externalId": "order-7", "metadata[customer]": "Northwind", "metadata[a b]": "", "limit": "50", "offset": "0",
    }  # fmt: skip


def test_times_and_several_statuses_are_written_as_the_service_reads_them() -> None:
    noon = datetime(2026, 6, 12, 12, 30, tzinfo=timezone(timedelta(hours=2)))

    call = Operations.list_sessions(status=["draft", "pending"], created_after=noon, recipient_email="a@example.com")

    assert call.query == {
        "status": "draft,pending", "createdAfter": "2026-06-12T10:30:00.000Z", "recipientEmail": "a@example.com",
        "limit": "50", "offset": "0",
    }  # fmt: skip


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        Operations.list_sessions(updated_before=datetime(2026, 6, 12, tzinfo=UTC).replace(tzinfo=None))
