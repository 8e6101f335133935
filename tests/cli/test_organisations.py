"""`undersign organisation`: names, time zones, logos and appearance."""

from pathlib import Path

import pytest
from PIL import Image

from tests.cli.conftest import Command


@pytest.mark.parametrize("again", ["Finch & Søn", "FINCH & SØN"])
def test_a_second_organisation_of_a_name_is_added_only_on_request(
    command: Command, organisation: str, again: str
) -> None:
    assert command("organisation", "add", again).refuses(organisation)
    assert command("organisation", "add", again, "--same-name", "--json").json()["organisationId"] != organisation


def test_organisations_are_listed_renamed_and_keep_their_time_zone(command: Command, organisation: str) -> None:
    renamed = command("organisation", "rename", organisation, "Finch", "--json").json()
    listed = command("organisation", "list", "--json").json()
    moved = command("organisation", "time-zone", organisation, "Australia/Sydney", "--json").json()
    again = command("organisation", "rename", organisation, "Finch & Co", "--json").json()

    assert renamed == {"organisationId": organisation, "name": "Finch", "timeZone": "UTC", "language": None}
    assert listed == {"organisations": [renamed]}
    assert moved["timeZone"] == again["timeZone"] == "Australia/Sydney"

    german = command("organisation", "language", organisation, "de", "--json").json()
    assert (german["language"], german["timeZone"]) == ("de", "Australia/Sydney")
    assert command("organisation", "language", organisation, "--json").json()["language"] is None
    assert command("organisation", "language", organisation, "xx").refuses("one of en, de, fr")


def test_origins_of_frames_are_added_and_removed(command: Command, organisation: str) -> None:
    shop, own = "https://shop.example.com", "http://localhost:5173"
    added = [command("organisation", "frame-origins", organisation, one, "--json").json() for one in (shop, own, shop)]
    removed = command("organisation", "frame-origins", organisation, own, "--remove", "--json").json()
    shown = command("organisation", "frame-origins", organisation, "--json").json()

    assert [one["frameOrigins"] for one in added] == [[shop], [shop, own], [shop, own]]
    assert removed == shown == {"organisationId": organisation, "frameOrigins": [shop]}
    assert command("organisation", "frame-origins", organisation, "shop.example.com").refuses("https://app.example.com")
    assert command("organisation", "frame-origins", organisation, own, "--remove").refuses("Not listed")


def test_a_logo_is_set_and_removed(command: Command, organisation: str, tmp_path: Path) -> None:
    Image.new("RGB", (960, 224), "teal").save(tmp_path / "logo.png")
    stored = command("organisation", "logo", organisation, str(tmp_path / "logo.png"), "--json").json()
    removed = command("organisation", "logo", organisation, "--remove", "--json").json()

    assert stored == {"organisationId": organisation, "logo": {"width": 240, "height": 56}}
    assert removed == {"organisationId": organisation, "logo": None}


@pytest.mark.parametrize("arguments", [[], ["nothing.png"], [__file__], [__file__, "--remove"]])
def test_a_file_that_is_no_logo_is_refused(command: Command, organisation: str, arguments: list[str]) -> None:
    assert command("organisation", "logo", organisation, *arguments).refuses("")


def test_the_appearance_is_set_shown_and_removed_and_keeps_the_logo(
    command: Command, organisation: str, tmp_path: Path
) -> None:
    Image.new("RGB", (960, 224), "teal").save(tmp_path / "logo.png")
    command("organisation", "logo", organisation, str(tmp_path / "logo.png"))
    settings = ("accent=#C2410C", "name=Finch Legal", "imprint=https://finch.example/imprint")
    stored = command("organisation", "appearance", organisation, *settings, "--json").json()
    changed = command("organisation", "appearance", organisation, "name=", "--json").json()
    shown = command("organisation", "appearance", organisation, "--json").json()

    links = {"imprint": "https://finch.example/imprint", "privacy": None}
    assert stored == {"organisationId": organisation, "accent": "#c2410c", "name": "Finch Legal", **links}
    assert changed == shown == {**stored, "name": None}


@pytest.mark.parametrize("setting", ["accent=red", "colour=#c2410c", "accent", "privacy=ftp://finch.example"])
def test_a_wrong_setting_of_the_appearance_is_refused(command: Command, organisation: str, setting: str) -> None:
    assert command("organisation", "appearance", organisation, setting).refuses("")
