"""Traces: one from the request through the workflow to its activities, without words of anybody; nothing when off."""

import subprocess
import sys
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import format_trace_id
from temporalio.client import Client
from temporalio.worker import Replayer

from adapters.telemetry.span_redaction import ALLOWED_ATTRIBUTES
from adapters.telemetry.traces import Tracing, is_wanted, tracing, tracing_to
from api.app import create_app
from application.session_actions import SessionActions
from domain.workflow_ids import session_workflow_id
from tests.api.service import BASE_URL, OWN, Service, bearer, session_request
from tests.workflows.servers import dev_server
from tests.workflows.stage import set_stage
from tests.workflows.waiting import eventually
from workflows.client.runs import TemporalRuns
from workflows.sdk.connection import data_converter
from workflows.sdk.interceptors import RequestIds, SafeUpdates
from workflows.workflow_types import WORKFLOWS

PARENT = "0af7651916cd43dd8448eb211c80319c"


def told(spans: tuple[ReadableSpan, ...]) -> str:
    return " ".join(span.to_json() for span in spans)


@pytest.mark.temporal
async def test_one_trace_leads_from_the_request_through_the_workflow_to_its_activities() -> None:
    collected = InMemorySpanExporter()
    with tracing_to(collected, "undersign-test", SimpleSpanProcessor) as traces:
        async with dev_server() as server:
            client = await Client.connect(
                server.client.service_client.config.target_host,
                data_converter=data_converter(()),
                interceptors=[RequestIds(), *traces.interceptors],
            )
            async with set_stage(client):
                service = Service()
                await service.seed()
                sessions = SessionActions(TemporalRuns(client), service.rows)
                app = create_app(service.services(sessions=sessions), tracing=traces)
                await _create(app, traceparent=f"00-{PARENT}-b7ad6b7169203331-01")

                async def done() -> set[str]:
                    return {span.name for span in collected.get_finished_spans()}

                names = await eventually(done, lambda names: "RunActivity:record_and_send" in names)
                (made,) = service.rows.held
                history = await client.get_workflow_handle(session_workflow_id(made)).fetch_history()
    for around in ((), traces.interceptors):  # switched off and on again, sessions go on
        replayer = Replayer(
            workflows=WORKFLOWS, data_converter=data_converter(()), interceptors=[SafeUpdates(), *around]
        )
        await replayer.replay_workflow(history)
    spans = collected.get_finished_spans()

    assert {
        "POST /api/v1/Session",
        "StartWorkflow:SigningSession",
        "RunWorkflow:SigningSession",
        "StartActivity:record_and_send",
        "RunActivity:record_and_send",
    } <= names
    assert {format_trace_id(span.context.trace_id) for span in spans if span.context} == {PARENT}
    assert set().union(*(span.attributes or {} for span in spans)) <= ALLOWED_ATTRIBUTES
    assert [word for word in ("Ada", "ada@", "Consulting", "Bearer") if word in told(spans)] == []


async def _create(app: Any, **headers: str) -> None:
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as http:
        request = session_request(sendImmediately=True)
        answer = await http.post("/api/v1/Session", json=request, headers={**bearer(OWN), **headers})
        assert answer.status_code == 200, answer.text


async def test_errors_are_traced_without_messages() -> None:
    collected = InMemorySpanExporter()
    with tracing_to(collected, "undersign-test", SimpleSpanProcessor) as traces, pytest.raises(ValueError, match="Ada"):
        _fail(traces)

    (span,) = collected.get_finished_spans()
    assert [dict(event.attributes or {}) for event in span.events] == [{"exception.type": "ValueError"}]
    assert "Ada" not in told((span,))
    assert span.resource.attributes["service.name"] == "undersign-test"


def _fail(traces: Tracing) -> None:
    with traces.tracer.start_as_current_span("step", attributes={"recipient": "Ada"}):
        raise ValueError("Ada Lovelace is no number")


async def test_urls_are_not_traced() -> None:
    collected = InMemorySpanExporter()
    with tracing_to(collected, "undersign-test", SimpleSpanProcessor) as traces:
        app = create_app(Service().services(), tracing=traces)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=BASE_URL) as http:
            await http.get("/sign/a-token-that-opens-documents?x=secret")
            await http.get("/nowhere/a-token")

    spans = collected.get_finished_spans()
    assert [span.name for span in spans] == ["GET /sign/{token}", "GET"]
    assert "token-that" not in told(spans)
    assert "secret" not in told(spans)


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "OTEL_SDK_DISABLED": "true"}, False),
    ],
)
def test_traces_need_a_collector(environment: dict[str, str], wanted: bool) -> None:
    assert is_wanted(environment) is wanted
    if not wanted:
        with tracing("undersign-test", environment) as traces:
            assert traces is None


def test_nothing_is_loaded_when_they_are_off() -> None:
    program = "import sys, api.serve, worker; print('opentelemetry.sdk' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"
