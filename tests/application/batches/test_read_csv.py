"""CSV files become the rows of a batch, whatever their cells hold."""

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.batches.read_csv import columns_of, read_csv
from domain.session.reminder_schedule import ReminderFrequency
from domain.shared.ids import OrganisationId, TemplateId
from domain.templates.template import Template, TemplateRecipient, TemplateStatus
from domain.templates.variables import Variable
from tests.builders import NOON, ORGANISATION, identifier

TEMPLATE = Template(
    organisation_id=OrganisationId(ORGANISATION),
    template_id=TemplateId(identifier("template")),
    name="Lease",
    status=TemplateStatus.ACTIVE,
    created_at=NOON,
    updated_at=NOON,
    document={},
    recipients=(TemplateRecipient(key="tenant", name="", email="", signing_order=1),),
    variables=(Variable(name="address"), Variable(name="rent")),
    expiry_days=None,
    reminder_enabled=False,
    reminder_frequency=ReminderFrequency.WEEKLY,
    message=None,
)
HEADS = columns_of(TEMPLATE)
CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@given(st.lists(st.lists(CELLS, min_size=len(HEADS), max_size=len(HEADS)), max_size=5), st.sampled_from(",;"))
def test_every_cell_arrives_where_its_head_says(lines: list[list[str]], delimiter: str) -> None:
    lines = [HEADS, *lines]  # a file without rows is refused
    written = StringIO(newline="")
    csv.writer(written, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([HEADS, *lines])

    table = read_csv(written.getvalue().encode(), TEMPLATE)

    kept = [dict(zip(HEADS, cells, strict=True)) for cells in lines if any(cell.strip() for cell in cells)]
    assert not table.issues
    assert len(table.rows) == len(kept) == len(table.places.lines)
    for row, cells in zip(table.rows, kept, strict=True):
        (tenant,) = row["recipients"]
        filled = {head: cell for head, cell in cells.items() if cell.strip()}
        assert row["variableValues"] == {name: filled[name] for name in ("address", "rent") if name in filled}
        for member in ("name", "email"):
            assert tenant.get(member, "") == filled.get(f"tenant.{member}", "").strip()
        assert (row.get("name"), row.get("externalId")) == (
            filled.get("session.name"),
            filled.get("session.externalId"),
        )


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/rows/1/variableValues/rent", "line 4, rent"),
        ("/rows/0/recipients/0/email", "line 2, tenant.email"),
        ("/rows/1/document/title", "line 4"),
        ("/perMinute", "/perMinute"),
    ],
)
def test_a_pointer_becomes_the_line_and_the_head(path: str, place: str) -> None:
    file = b'tenant.email,rent,address\na@example.com,1,"two\nlines"\nb@example.com,2,one\n'

    assert read_csv(file, TEMPLATE).places.place_of(path) == place
