"""Alerts fire for what they are for, and for nothing else: promtool evaluates them on series."""

import subprocess

import pytest
import yaml

from tests.deploy.files import DEPLOY

pytestmark = pytest.mark.promtool

PROMETHEUS = DEPLOY / "prometheus"


def test_each_alert_fires_in_a_case_of_its_own_and_no_other_does() -> None:
    done = subprocess.run(
        ["promtool", "test", "rules", "alerts.test.yaml"], cwd=PROMETHEUS, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_no_alert_is_without_a_case() -> None:
    rules = yaml.safe_load((PROMETHEUS / "alerts.yaml").read_text("utf-8"))["groups"][0]["rules"]
    cases = (PROMETHEUS / "alerts.test.yaml").read_text("utf-8")

    assert [rule["alert"] for rule in rules if f'alertname="{rule["alert"]}"' not in cases] == []
