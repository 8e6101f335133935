"""What the programs of one machine are told."""

from pathlib import Path
from typing import Any

import pytest

from cli.dev.dev_stack import allocate_stack
from settings import Settings


@pytest.mark.parametrize(
    ("chosen", "told"), [({}, "true"), ({"private_callbacks": False}, "false"), ({"private_callbacks": True}, "true")]
)
def test_on_one_machine_callbacks_may_stay_on_it_unless_the_operator_says_otherwise(
    tmp_path: Path, chosen: dict[str, Any], told: str
) -> None:
    settings = Settings(data_dir=tmp_path, api_port=0, temporal_port=0, temporal_ui_port=0, **chosen)

    assert allocate_stack(settings).environment()["UNDERSIGN_PRIVATE_CALLBACKS"] == told


def test_the_embedded_server_is_not_taken_for_the_cluster_of_somebodys_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEMPORAL_API_KEY", "of a cluster")
    settings = Settings(data_dir=tmp_path, api_port=0, temporal_port=0, temporal_ui_port=0)

    told = allocate_stack(settings).environment()

    assert {name for name in told if name.startswith("TEMPORAL_")} == {"TEMPORAL_CONFIG_FILE"}
    assert Path(told["TEMPORAL_CONFIG_FILE"]).read_bytes() == b""
