"""A form with fields of every type, filled in by two people: every value is in its place on the signed PDF."""

from pathlib import Path
from typing import NamedTuple

import pytest

from application.schemas.values import ValueRead
from cli.demo.browser import Browser
from cli.demo.command import drawn_signature, save_results
from cli.demo.examples import Example
from cli.output import DemoFailed
from domain.session.fields import FieldKind
from layout.zone import ZONES, Zone
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.pdfs import darkness_within, text_within
from tests.layout.reading import check

pytestmark = [pytest.mark.poppler, pytest.mark.qpdf]


_TYPED = {
    "born": "2001-02-14",
    "days": ("Tuesday", "Thursday", "Saturday"),
    "hours": 22.5,
    "handbook": True,
    "text_messages": True,
    "rules_starter": True,
    "rules_manager": True,
}
"""The values of answers that are no texts, or are texts of another form."""


class SignedForm(NamedTuple):
    """The signed PDF, the PDF as it was sent, the zones of its fields, the answers, and the values in the API."""

    signed: Path
    sent: Path
    zones: dict[str, Zone]
    answers: dict[str, str | list[str]]
    values: dict[str, ValueRead]

    def text(self, name: str) -> str:
        """Returns the text in the zone of a field."""
        zone = self.zones[name]
        return text_within(self.signed, zone.page, (zone.x, zone.y, zone.w, zone.h))

    def added(self, page: int, x: float, y: float, side: float) -> float:
        """Returns how much darker the middle of a box has become."""
        box = (x + 2, y + 2, side - 4, side - 4)
        return darkness_within(self.signed, page, box) - darkness_within(self.sent, page, box)

    def chosen(self, name: str) -> list[str]:
        """Returns the options of a field whose boxes or round buttons have been marked."""
        zone = self.zones[name]
        return [option.text for option in zone.options if self.added(zone.page, option.x, option.y, option.w) > 0.1]


@pytest.fixture(scope="module")
def form(installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> SignedForm:
    agreement = Agreement.of(installation, Example.NEW_STARTER)
    agreement.sign("starter")
    drawn = {"rules_manager": "", "rules_manager/kind": "drawn", "rules_manager/drawing": drawn_signature()}
    agreement.sign("manager", **drawn)
    agreement.complete()
    service = installation.service
    signed, _ = save_results(service, agreement.session_id, tmp_path_factory.mktemp("form"))
    stored = {path.name.partition("-")[0]: path for path in installation.files(f"{agreement.session_id}/files")}
    zones = ZONES.validate_json(stored["zones"].read_bytes())
    answers = {name: value for given in agreement.answers.values() for name, value in given.items()}
    (read,) = service.get_values(agreement.session_id).files
    places, values = {zone.name: zone for zone in zones}, {value.name: value for value in read.values}
    return SignedForm(signed, stored["sent"], places, answers, values)  # type: ignore[arg-type]


def test_every_text_stands_in_its_zone(form: SignedForm) -> None:
    assert {zone.type.value for zone in form.zones.values()} >= set(FieldKind)
    for name, zone in form.zones.items():
        if name in form.answers and not zone.options and zone.type.value not in {"checkbox", "initials"}:
            assert form.text(name) == " ".join(str(form.answers[name]).split()), name
    assert form.text("super_fund") == "Hostplus"


def test_exactly_the_boxes_and_buttons_that_were_chosen_are_marked(form: SignedForm) -> None:
    assert form.chosen("days") == ["Tuesday", "Thursday", "Saturday"]
    assert form.chosen("employment") == ["Part time"]
    assert form.chosen("apron") == ["M"]
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


def test_the_signed_form_is_a_valid_pdf(form: SignedForm) -> None:
    check(form.signed.read_bytes())


def test_mistakes_of_every_kind_are_reported_at_once_and_nothing_is_signed(installation: Installation) -> None:
    agreement = Agreement.of(installation, Example.NEW_STARTER)

    with pytest.raises(DemoFailed) as failed:
        agreement.sign(
            "starter", born="31/02/2001", mobile="02 9157 0156", email="matilda@", hours="some", home_address="x " * 900
        )

    for label in ("Date of birth", "Mobile", "Email", "Hours a week", "Home address"):
        assert label in str(failed.value)
    assert agreement.now.status == "pending"

    with Browser() as browser:
        page = browser.submit(browser.open(agreement.link_of("starter")), {})
        form = page.form()
        (apron,) = (name for name in form.names if name.endswith("/apron"))
        form.choices[apron].append("XXL")  # as if the page offered it

        with pytest.raises(DemoFailed, match="Apron size"):
            browser.submit(page, {apron: "XXL"})
