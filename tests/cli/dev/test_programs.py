"""The environment of the processes on one machine."""

import os
from pathlib import Path
from typing import Any

import pytest

from cli.dev.programs import allocate_stack
from settings import Settings


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
