"""Two organisations of one name are no accident."""

import pytest

from tests.cli.conftest import Command


@pytest.mark.parametrize("again", ["Finch & Søn", "FINCH & SØN"])
def test_a_second_organisation_of_a_name_is_added_only_if_asked_for(command: Command, again: str) -> None:
    first = command("organisation", "add", "Finch & Søn", "--json").json()["organisationId"]

    refused = command("organisation", "add", again)
    added = command("organisation", "add", again, "--same-name", "--json").json()["organisationId"]

    assert refused.code == 2
    assert first in refused.refusal()
    assert added != first
