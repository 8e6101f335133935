"""The logo of an organisation on the command line."""

import json
from pathlib import Path

import pytest
from PIL import Image

from tests.cli.commands import undersign


@pytest.fixture
def organisation(tmp_path: Path) -> str:
    return str(json.loads(undersign(tmp_path, "organisation", "add", "Finch", "--json").out)["organisationId"])


def test_a_logo_is_set_and_removed(tmp_path: Path, organisation: str) -> None:
    Image.new("RGB", (960, 224), "teal").save(tmp_path / "logo.png")
    made = undersign(tmp_path, "organisation", "logo", organisation, str(tmp_path / "logo.png"), "--json")
    removed = undersign(tmp_path, "organisation", "logo", organisation, "--remove", "--json")
    assert json.loads(made.out) == {"organisationId": organisation, "logo": {"width": 240, "height": 56}}
    assert json.loads(removed.out) == {"organisationId": organisation, "logo": None}


@pytest.mark.parametrize("arguments", [[], ["nothing.png"], [__file__], [__file__, "--remove"]])
def test_what_is_no_logo_is_refused_in_one_line(tmp_path: Path, organisation: str, arguments: list[str]) -> None:
    answer = undersign(tmp_path, "organisation", "logo", organisation, *arguments)
    assert (answer.code, len(answer.err.splitlines())) == (2, 1)
