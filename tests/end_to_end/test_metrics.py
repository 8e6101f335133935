"""Metrics of a service at work: those that dashboard, alerts and documentation name, and no others."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests import ROOT, http_requests
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually_says

_SERIES = re.compile(r"^([a-z_]+)", re.MULTILINE)
_NAMED = re.compile(r"\b(?:undersign|temporal|process|python)_[a-z_]*[a-z]\b")
_SELECTED = re.compile(r"\b([a-z_]+)\{([^}]*)\}")
_MATCHED = re.compile(r'([a-z_]+)(!?=~?)"([^"]*)"')
_GROUPED = re.compile(r"\bby \(([a-z_, ]+)\)")
BOARD = ROOT / "deploy" / "grafana" / "undersign.json"
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yaml"
METRICS = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")

IN_TROUBLE = "temporal_long_request_failure_total"
"""The metric that exists only once Temporal could not be reached."""

OF_FAILING_RUNS = {"temporal_workflow_task_execution_failed_total", "undersign_run_failing"}
"""The metrics that exist only once a workflow task has failed."""

OF_PROMETHEUS = {"instance", "job"}
"""Labels that Prometheus adds."""


@pytest.fixture(scope="module")
def series(installation: Installation, signed: Agreement) -> str:
    """The metrics of API and worker after a session has ended."""
    return read(f"{installation.dev_info.api_url}/metrics") + read(installation.worker_metrics)


def read(address: str) -> str:
    return http_requests.get(address).raise_for_status().text


def expressions(content: Any) -> Iterator[str]:
    """Yields the queries of a dashboard or a file of alerts."""
    if isinstance(content, dict):
        yield str(content.get("expr", ""))
        for value in content.values():
            yield from expressions(value)
    elif isinstance(content, list):
        for value in content:
            yield from expressions(value)


BOARD_QUERIES = tuple(filter(None, expressions(json.loads(BOARD.read_text(encoding="utf-8")))))
ALERT_QUERIES = tuple(filter(None, expressions(yaml.safe_load(ALERTS.read_text(encoding="utf-8")))))


def names(queries: tuple[str, ...]) -> set[str]:
    return {name for query in queries for name in _NAMED.findall(query)}


def labels_of(metric: str, series: str) -> set[str]:
    """Returns the labels of a metric, which are the same for all its series."""
    (line, *_) = re.findall(rf"^{metric}\{{(.*)\}} ", series, re.MULTILINE)
    return {label for label, _, _ in _MATCHED.findall(line)}


def test_dashboard_and_alerts_name_metrics_that_exist(series: str) -> None:
    existing = set(_SERIES.findall(series))

    assert names(BOARD_QUERIES) - existing <= OF_FAILING_RUNS
    assert len(names(BOARD_QUERIES)) > 12
    assert names(ALERT_QUERIES) - existing <= {IN_TROUBLE, *OF_FAILING_RUNS}
    assert len(names(ALERT_QUERIES)) == 14


@pytest.mark.parametrize("query", sorted({*BOARD_QUERIES, *ALERT_QUERIES}))
def test_labels_and_values_of_a_query_exist_or_are_documented(series: str, query: str) -> None:
    for metric, selector in _SELECTED.findall(query):
        for label, how, value in _MATCHED.findall(selector):
            assert label in (OF_PROMETHEUS if metric == "up" else labels_of(metric, series))
            assert "~" in how or f'{label}="{value}"' in series or f"`{value}`" in METRICS
    labelled = set(re.findall(r"^([a-z_]+)\{", series, re.MULTILINE))
    known = OF_PROMETHEUS.union(*(labels_of(name, series) for name in names((query,)) & labelled))
    grouped = {label.strip() for group in _GROUPED.findall(query) for label in group.split(",")}
    assert grouped <= known or names((query,)) <= OF_FAILING_RUNS


def test_polls_that_do_not_reach_temporal_are_counted_under_the_name_that_the_alert_has(
    own_installation: Installation,
) -> None:
    own_installation.kill_temporal()

    eventually_says(lambda: read(own_installation.worker_metrics), f"{IN_TROUBLE}{{")


def test_the_documentation_lists_every_metric_of_ours_and_no_other(series: str) -> None:
    types = set(re.findall(r"^# TYPE (undersign_[a-z_]+)", series, re.MULTILINE))
    described = set(re.findall(r"^\| `(undersign_[a-z_]+)`", METRICS, re.MULTILINE))

    assert types == described


@pytest.mark.parametrize("effect", ["generation", "sealing", "mail"])
def test_the_effects_of_a_session_are_counted(series: str, effect: str) -> None:
    done = re.search(rf'undersign_effect_duration_seconds_count{{effect="{effect}",outcome="done"}} (\S+)', series)

    assert done
    assert float(done[1]) >= 1
