"""The environment of the processes on one machine."""

import os
import secrets
from pathlib import Path
from typing import Any

import pytest

from cli.dev.programs import FREE_PORTS, PortRequest, allocate_ports, allocate_stack
from config.settings import Settings
from tests.tcp_ports import free_ports


@pytest.mark.parametrize(
    ("chosen", "result"), [({}, "true"), ({"private_callbacks": False}, "false"), ({"private_callbacks": True}, "true")]
)
def test_private_callbacks_are_allowed_unless_the_setting_forbids_them(
    tmp_path: Path, chosen: dict[str, Any], result: str
) -> None:
    settings = Settings(data_dir=tmp_path, api_port=0, temporal_port=0, temporal_ui_port=0, **chosen)
    assert allocate_stack(settings).environment()["UNDERSIGN_PRIVATE_CALLBACKS"] == result


def test_the_embedded_server_ignores_profiles_of_temporal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_API_KEY", "of a cluster")
    settings = Settings(data_dir=tmp_path, api_port=0, temporal_port=0, temporal_ui_port=0)

    result = allocate_stack(settings).environment()

    assert {name for name in result if name.startswith("TEMPORAL_")} == {"TEMPORAL_CONFIG_FILE"}
    assert Path(result["TEMPORAL_CONFIG_FILE"]).read_bytes() == b""


@pytest.mark.parametrize(("processors", "expected"), [(1, "1"), (2, "1"), (8, "4")])
def test_the_embedded_server_leaves_half_of_the_processors_unless_the_environment_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processors: int, expected: str
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    monkeypatch.delenv("GOMAXPROCS", raising=False)
    stack = allocate_stack(Settings(data_dir=tmp_path, api_port=0, temporal_port=0, temporal_ui_port=0))
    assert stack.temporal_program().environment["GOMAXPROCS"] == expected
    monkeypatch.setenv("GOMAXPROCS", "7")
    assert stack.temporal_program().environment["GOMAXPROCS"] == "7"


ANY = PortRequest("the API", "127.0.0.1", 0, "UNDERSIGN_API_PORT")


def test_any_free_port_is_one_that_no_connection_on_its_way_out_can_take() -> None:
    chosen = allocate_ports([ANY] * 20)
    assert len(set(chosen)) == 20
    assert set(chosen) <= set(FREE_PORTS)


def test_a_port_that_is_drawn_twice_is_given_once(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = free_ports(2)
    drawn = iter((one, one, other))
    monkeypatch.setattr(secrets, "choice", lambda _: next(drawn))

    assert allocate_ports([ANY, ANY]) == [one, other]
