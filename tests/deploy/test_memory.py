"""What a process may use is what its parts use, in the manifests, in the docs and in the code."""

import re

import pytest

from adapters.processes.job_limits import UNTRUSTED_FILES, WORKER_JOBS
from config.settings import Settings
from tests import ROOT
from tests.deploy.files import DEPLOY, read, read_all

GIB = 1024**3
PROCESSES = Settings.model_fields["pool_processes"].default
COMPOSE = read(DEPLOY / "compose.yaml")["services"]
UNITS = {"M": 1024**2, "Mi": 1024**2, "G": GIB, "Gi": GIB}
"""Compose counts in units of 1024, too."""


def told(name: str) -> list[float]:
    """Bytes of a process: at rest, of a child for layout, of one for uploads, and its limit, as the docs have them."""
    text = (ROOT / "docs/deployment.md").read_text(encoding="utf-8")
    _, _, rest = text.partition("| | At rest |")
    (row,) = re.findall(rf"^\| {name} \|(.*)\|$", rest, re.MULTILINE)
    *parts, limit = (cell.split() for cell in row.split("|"))
    return [*(float(cell[0]) * 1e9 if cell != ["none"] else 0.0 for cell in parts), float(limit[0]) * GIB]


def bytes_of(text: str) -> int:
    found = re.fullmatch(r"(\d+)([MG]i?)", text)
    assert found, text
    return int(found[1]) * UNITS[found[2]]


def in_kubernetes(name: str) -> int:
    (template,) = (
        document["spec"]["template"]["spec"]
        for _, document in read_all(DEPLOY / "kubernetes")
        if document["kind"] == "Deployment" and document["metadata"]["name"] == f"undersign-{name}"
    )
    return bytes_of(template["containers"][0]["resources"]["limits"]["memory"])


def in_compose(name: str) -> int:
    return bytes_of(COMPOSE[name]["deploy"]["resources"]["limits"]["memory"])


@pytest.mark.parametrize("name", ["API", "worker"])
def test_limits_are_the_documented_ones(name: str) -> None:
    assert {in_kubernetes(name.lower()), in_compose(name.lower())} == {told(name)[-1]}


@pytest.mark.parametrize("name", ["API", "worker"])
def test_all_children_may_be_at_their_hardest_work_at_once(name: str) -> None:
    """In compose what lies in /tmp is memory as well. One child more checks files, as one for uploads does."""
    rest, layout, uploads, _ = told(name)
    (tmp,) = COMPOSE[name.lower()]["tmpfs"]
    used = rest + PROCESSES * (layout + uploads) + uploads

    assert used <= in_kubernetes(name.lower())
    assert used + int(tmp.partition("size=")[2].removesuffix("m")) * 1024**2 <= in_compose(name.lower())


@pytest.mark.parametrize("name", ["API", "worker"])
def test_no_child_is_said_to_take_what_it_may_not(name: str) -> None:
    _, layout, uploads, _ = told(name)
    assert layout <= WORKER_JOBS.memory
    assert uploads <= UNTRUSTED_FILES.memory
