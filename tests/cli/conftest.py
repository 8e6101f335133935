"""Commands on a data directory of the test's own."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.cli.commands import Answer, undersign

Command = Callable[..., Answer]


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Runs `undersign` with these arguments, and with a text on its standard input."""
    return partial(undersign, tmp_path)


@pytest.fixture
def organisation(command: Command) -> str:
    return str(command("organisation", "add", "Finch & Søn", "--json").json()["organisationId"])


@pytest.fixture
def client(command: Command, organisation: str) -> str:
    return str(command("client", "add", organisation, "reports", "--json").json()["clientId"])
