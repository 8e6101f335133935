"""A form with inputs of every type: made, filled in by two people, and every value in its place on the signed PDF."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cli.demo.browser import Browser
from cli.demo.command import connect, drawn_signature, save_results
from cli.demo.examples import Example
from cli.errors import DemoFailed
from domain.session.fields import FieldKind
from layout.zones.zone import ZONES, Zone
from schemas.values import ValueRead
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.folders import folders_below
from tests.end_to_end.installation import Installation
from tests.end_to_end.pdfs import check_structure, darkness_within, text_within
from undersign import Client

pytestmark = [pytest.mark.installation, pytest.mark.poppler, pytest.mark.qpdf]


_TYPED = {
    "born": "2001-02-14",
    "days": ("Tuesday", "Thursday", "Saturday"),
    "hours": 22.5,
    "handbook": True,
    "text_messages": True,
    "rules_starter": True,
    "rules_manager": True,
}
"""What is read of answers that are no texts, or are texts of another form."""


class SignedForm(NamedTuple):
    """The form as it was signed, the PDF as it was sent, where its inputs are, and what programs read of them."""

    signed: Path
    sent: Path
    zones: dict[str, Zone]
    answers: dict[str, str | list[str]]
    values: dict[str, ValueRead]

    def text(self, name: str) -> str:
        """What can be read in the zone of an input."""
        zone = self.zones[name]
        return text_within(self.signed, zone.page, (zone.x, zone.y, zone.w, zone.h))

    def added(self, page: int, x: float, y: float, side: float) -> float:
        """How much darker the middle of a box has become."""
        box = (x + 2, y + 2, side - 4, side - 4)
        return darkness_within(self.signed, page, box) - darkness_within(self.sent, page, box)

    def chosen(self, name: str) -> list[str]:
        """The options of an input whose boxes or round buttons have been marked."""
        zone = self.zones[name]
        return [option.text for option in zone.options if self.added(zone.page, option.x, option.y, option.w) > 0.1]


@pytest.fixture(scope="module")
def form(installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SignedForm]:
    output = tmp_path_factory.mktemp("form")
    service = connect(installation.dev_info)
    agreement = Agreement(installation.dev_info, service, example=Example.NEW_STARTER)
    agreement.sign("starter")
    agreement.sign(
        "manager", **{"rules_manager": "", "rules_manager/kind": "drawn", "rules_manager/drawing": drawn_signature()}
    )
    agreement.await_documents()
    signed, _ = save_results(service, agreement.session_id, output)
    own = f"{agreement.session_id}/files"
    (folder,) = (path for path in folders_below(installation.data_dir) if path.parent.match(own))
    [placed], [sent] = folder.glob("zones-*.json"), folder.glob("sent-*.pdf")
    zones = ZONES.validate_json(placed.read_bytes())
    answers = {name: value for given in agreement.answers.values() for name, value in given.items()}
    (read,) = service.get_values(agreement.session_id).files
    places, values = {zone.name: zone for zone in zones}, {value.name: value for value in read.values}
    yield SignedForm(signed, sent, places, answers, values)  # type: ignore[arg-type]
    service.close()


def test_the_example_has_an_input_of_every_type(form: SignedForm) -> None:
    assert {zone.type.value for zone in form.zones.values()} >= set(FieldKind)


def test_every_text_stands_in_its_zone(form: SignedForm) -> None:
    for name, zone in form.zones.items():
        if name in form.answers and not zone.options and zone.type.value not in {"checkbox", "initials"}:
            assert form.text(name) == " ".join(str(form.answers[name]).split()), name


def test_the_option_that_was_chosen_in_a_dropdown_stands_in_it(form: SignedForm) -> None:
    assert form.text("super_fund") == "Hostplus"


def test_exactly_the_boxes_that_were_ticked_are_ticked(form: SignedForm) -> None:
    assert form.chosen("days") == ["Tuesday", "Thursday", "Saturday"]


def test_exactly_the_buttons_that_were_chosen_are_filled(form: SignedForm) -> None:
    assert form.chosen("employment") == ["Part time"]
    assert form.chosen("apron") == ["M"]


def test_tick_boxes_are_ticked(form: SignedForm) -> None:
    for name in ("handbook", "text_messages"):
        zone = form.zones[name]
        assert form.added(zone.page, zone.x, zone.y, zone.w) > 0.1


def test_initials_are_in_their_boxes_as_ink_typed_and_drawn(form: SignedForm) -> None:
    for name in ("rules_starter", "rules_manager"):
        zone = form.zones[name]
        assert form.text(name) == ""
        assert darkness_within(form.signed, zone.page, (zone.x + 2, zone.y + 2, zone.w - 4, zone.h - 4)) > 0.01


def test_programs_read_every_input_by_its_type(form: SignedForm) -> None:
    values = {name: read.value for name, read in form.values.items()}

    assert {name: values[name] for name in form.answers if name not in _TYPED} == {
        name: answer for name, answer in form.answers.items() if name not in _TYPED
    }
    assert {name: values[name] for name in _TYPED} == _TYPED
    assert form.values["born"].text == form.answers["born"]
    assert (form.values["rules_starter"].text, form.values["rules_manager"].text) == ("M.N.", None)
    assert {name for name, read in form.values.items() if read.recipient_key == "manager"} == {
        "rules_manager", "first_day", "trained_by",
    }  # fmt: skip


def test_the_signed_form_is_a_sound_file(form: SignedForm) -> None:
    check_structure(form.signed)


def test_mistakes_of_every_kind_come_back_at_once_and_nothing_is_signed(
    installation: Installation, service: Client
) -> None:
    agreement = Agreement(installation.dev_info, service, example=Example.NEW_STARTER)

    with pytest.raises(DemoFailed) as failed:
        agreement.sign(
            "starter", born="31/02/2001", mobile="02 9157 0156", email="matilda@", hours="some", home_address="x " * 900
        )

    for label in ("Date of birth", "Mobile", "Email", "Hours a week", "Home address"):
        assert f"“{label}”" in str(failed.value)
    assert service.get_session(agreement.session_id).status == "pending"


def test_an_option_that_is_not_offered_cannot_be_posted_past_the_page(
    installation: Installation, service: Client
) -> None:
    agreement = Agreement(installation.dev_info, service, example=Example.NEW_STARTER)
    with Browser() as browser:
        page = browser.submit(browser.open(agreement.link_of("starter")), {})
        form = page.form()
        (apron,) = (name for name in form.names if name.endswith("/apron"))
        form.choices[apron].append("XXL")

        with pytest.raises(DemoFailed, match="offered for “Apron size”"):
            browser.submit(page, {apron: "XXL"})
