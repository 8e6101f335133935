"""What Prometheus reads of a service at work, and that dashboard, alerts and docs speak of nothing else."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from api.client import Client
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.conftest import WORKER_PORT
from tests.end_to_end.installation import ROOT, Installation

_SERIES = re.compile(r"^([a-z_]+)", re.MULTILINE)
_NAMED = re.compile(r"\b(?:undersign|temporal|process|python)_[a-z_]*[a-z]\b")
BOARD = ROOT / "deploy" / "grafana" / "undersign.json"
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yaml"


@pytest.fixture(scope="module")
def told(installation: Installation) -> str:
    """All that API and worker tell after a session has run its course."""
    handle = installation.handle
    with Client(handle.api_url, handle.client_id, handle.client_secret) as service:
        agreement = Agreement(handle, service)
        agreement.sign("client")
        agreement.sign("consultant")
        agreement.await_documents()
    addresses = (f"{handle.api_url}/metrics", f"http://127.0.0.1:{WORKER_PORT}/metrics")
    return "\n".join(httpx.get(a, trust_env=False).raise_for_status().text for a in addresses)


def names(content: Any) -> Iterator[str]:
    """The metrics that a dashboard or a file of alerts asks for."""
    if isinstance(content, dict):
        yield from _NAMED.findall(str(content.get("expr", "")))
        for value in content.values():
            yield from names(value)
    elif isinstance(content, list):
        for value in content:
            yield from names(value)


def test_what_the_dashboard_asks_for_is_there(told: str) -> None:
    asked = set(names(json.loads(BOARD.read_text(encoding="utf-8"))))

    assert asked - set(_SERIES.findall(told)) == set()
    assert len(asked) > 12


def test_what_alerts_ask_for_is_there(told: str) -> None:
    asked = set(names(yaml.safe_load(ALERTS.read_text(encoding="utf-8"))))

    assert asked - set(_SERIES.findall(told)) == set()
    assert len(asked) == 4


def test_every_metric_of_ours_is_described_and_every_described_one_is_there(told: str) -> None:
    types = set(re.findall(r"^# TYPE (undersign_[a-z_]+)", told, re.MULTILINE))
    described = set(re.findall(r"^\| `(undersign_[a-z_]+)`", _docs(), re.MULTILINE))

    assert types == described


@pytest.mark.parametrize("effect", ["generation", "sealing", "mail"])
def test_the_effects_of_a_session_are_counted(told: str, effect: str) -> None:
    done = re.search(rf'undersign_effect_duration_seconds_count{{effect="{effect}",outcome="done"}} (\S+)', told)

    assert done
    assert float(done[1]) >= 1


def _docs() -> str:
    return Path(ROOT, "docs", "metrics.md").read_text(encoding="utf-8")
