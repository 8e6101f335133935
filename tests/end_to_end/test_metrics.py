"""What Prometheus reads of a service at work, and that dashboard, alerts and docs speak of nothing else."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import ROOT, http_requests
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually_says
from undersign import Client

pytestmark = pytest.mark.installation

_SERIES = re.compile(r"^([a-z_]+)", re.MULTILINE)
_NAMED = re.compile(r"\b(?:undersign|temporal|process|python)_[a-z_]*[a-z]\b")
_SELECTED = re.compile(r"\b([a-z_]+)\{([^}]*)\}")
_MATCHED = re.compile(r'([a-z_]+)(!?=~?)"([^"]*)"')
_GROUPED = re.compile(r"\bby \(([a-z_, ]+)\)")
BOARD = ROOT / "deploy" / "grafana" / "undersign.json"
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yaml"


IN_TROUBLE = "temporal_long_request_failure_total"
"""What there is only once Temporal could not be reached."""

OF_PROMETHEUS = {"instance", "job"}
"""Labels that it adds itself."""


@pytest.fixture(scope="module")
def told(installation: Installation) -> str:
    """All that API and worker tell after a session has run its course."""
    dev_info = installation.dev_info
    with Client(dev_info.api_url, dev_info.client_id, dev_info.client_secret) as service:
        agreement = Agreement(dev_info, service)
        agreement.sign("client")
        agreement.sign("consultant")
        agreement.await_documents()
    return told_at(f"{dev_info.api_url}/metrics") + told_at(installation.worker_metrics)


def told_at(address: str) -> str:
    return http_requests.get(address).raise_for_status().text


def expressions(content: Any) -> Iterator[str]:
    """What a dashboard or a file of alerts asks Prometheus."""
    if isinstance(content, dict):
        yield str(content.get("expr", ""))
        for value in content.values():
            yield from expressions(value)
    elif isinstance(content, list):
        for value in content:
            yield from expressions(value)


BOARD_ASKS = tuple(filter(None, expressions(json.loads(BOARD.read_text(encoding="utf-8")))))
ALERTS_ASK = tuple(filter(None, expressions(yaml.safe_load(ALERTS.read_text(encoding="utf-8")))))


def names(asked: tuple[str, ...]) -> set[str]:
    return {name for expression in asked for name in _NAMED.findall(expression)}


def labels_of(metric: str, told: str) -> set[str]:
    """The labels of its series, which are the same for all of them."""
    (line, *_) = re.findall(rf"^{metric}\{{(.*)\}} ", told, re.MULTILINE)
    return {label for label, _, _ in _MATCHED.findall(line)}


def test_what_the_dashboard_asks_for_is_there(told: str) -> None:
    assert names(BOARD_ASKS) - set(_SERIES.findall(told)) == set()
    assert len(names(BOARD_ASKS)) > 12


def test_what_alerts_ask_for_is_there(told: str) -> None:
    assert names(ALERTS_ASK) - set(_SERIES.findall(told)) <= {IN_TROUBLE}
    assert len(names(ALERTS_ASK)) == 8


@pytest.mark.parametrize("expression", sorted({*BOARD_ASKS, *ALERTS_ASK}))
def test_labels_and_values_that_are_asked_for_are_there_or_documented(told: str, expression: str) -> None:
    for metric, selector in _SELECTED.findall(expression):
        for label, how, value in _MATCHED.findall(selector):
            assert label in (OF_PROMETHEUS if metric == "up" else labels_of(metric, told))
            assert "~" in how or f'{label}="{value}"' in told or f"`{value}`" in _docs()
    known = OF_PROMETHEUS.union(*(labels_of(name, told) for name in names((expression,)) & _labelled(told)))
    asked = {label.strip() for group in _GROUPED.findall(expression) for label in group.split(",")}
    assert asked <= known


def test_polls_that_do_not_reach_temporal_are_counted_under_the_name_that_wakes_people(
    own_installation: Installation,
) -> None:
    own_installation.kill_temporal()

    eventually_says(lambda: told_at(own_installation.worker_metrics), f"{IN_TROUBLE}{{")


def test_every_metric_of_ours_is_described_and_every_described_one_is_there(told: str) -> None:
    types = set(re.findall(r"^# TYPE (undersign_[a-z_]+)", told, re.MULTILINE))
    described = set(re.findall(r"^\| `(undersign_[a-z_]+)`", _docs(), re.MULTILINE))

    assert types == described


@pytest.mark.parametrize("effect", ["generation", "sealing", "mail"])
def test_the_effects_of_a_session_are_counted(told: str, effect: str) -> None:
    done = re.search(rf'undersign_effect_duration_seconds_count{{effect="{effect}",outcome="done"}} (\S+)', told)

    assert done
    assert float(done[1]) >= 1


def _labelled(told: str) -> set[str]:
    return set(re.findall(r"^([a-z_]+)\{", told, re.MULTILINE))


def _docs() -> str:
    return Path(ROOT, "docs", "metrics.md").read_text(encoding="utf-8")
