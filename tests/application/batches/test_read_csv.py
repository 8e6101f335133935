"""CSV files become the rows of a batch, whatever their cells hold."""

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.batches.read_csv import columns_of, read_csv
from application.errors import InvalidBatch
from domain.session.reminder_schedule import ReminderFrequency
from domain.shared.ids import OrganisationId, TemplateId
from domain.templates.template import Template, TemplateRecipient, TemplateStatus
from domain.templates.variables import Variable, VariableType
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
    variables=(
        Variable(name="address"),
        Variable(name="rent"),
        Variable(name="begins", type=VariableType.DATE, required=False),
    ),
    expiry_days=None,
    reminder_enabled=False,
    reminder_frequency=ReminderFrequency.WEEKLY,
    message=None,
)
FEE = Variable(name="monthly_fee", type=VariableType.NUMBER, required=False)
WITH_FEE = TEMPLATE.model_copy(update={"variables": (*TEMPLATE.variables, FEE)})
HEADS = columns_of(TEMPLATE)
CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@given(st.lists(st.lists(CELLS, min_size=len(HEADS), max_size=len(HEADS)), max_size=5), st.sampled_from(",;\t|"))
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
        assert row["variableValues"] == {name: filled[name] for name in ("address", "rent", "begins") if name in filled}
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


ROWS = [["tenant.name", "tenant.email", "address"], ["Zoë Müller", "zoe@example.com", "Große Straße 1;\r\nKöln, “Süd”"]]


def write(delimiter: str = ",", newline: str = "\r\n", quoting: int = csv.QUOTE_MINIMAL) -> str:
    written = StringIO(newline="")
    csv.writer(written, delimiter=delimiter, lineterminator=newline, quoting=quoting).writerows(ROWS)  # type: ignore[arg-type]
    return written.getvalue()


def read(file: bytes) -> list[tuple[str, str, str]]:
    table = read_csv(file, TEMPLATE)
    assert not table.issues
    return [
        (row["recipients"][0]["name"], row["recipients"][0]["email"], row["variableValues"]["address"])
        for row in table.rows
    ]


EXPECTED = [tuple(ROWS[1])]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("separator_line", [False, True])
def test_files_of_spreadsheets_are_read(
    encoding: str, delimiter: str, newline: str, quoting: int, *, separator_line: bool
) -> None:
    text = (f"sep={delimiter}{newline}" if separator_line else "") + write(delimiter, newline, quoting)
    assert read(text.encode(encoding)) == EXPECTED


def test_the_mark_at_the_end_of_a_file_is_no_row() -> None:
    assert (
        read_csv(b"tenant.name,rent\r\nAda,1\r\n\x1a", TEMPLATE).rows
        == read_csv(b"tenant.name,rent\r\nAda,1\r\n", TEMPLATE).rows
    )


@pytest.mark.parametrize("first", ["sep=;", "SEP=;", '"sep=;"', "sep=;;;;"])
def test_a_separator_line_counts_as_a_line_and_names_the_character(first: str) -> None:
    file = f"{first}\r\ntenant.name;rent\r\nAda;1\r\nGrace;2;3\r\n".encode()
    table = read_csv(file, TEMPLATE)
    assert (table.places.lines, [issue.path for issue in table.issues]) == ((3, 4), ["line 4"])


@pytest.mark.parametrize(
    "heads",
    ["Tenant.Name,ADDRESS,Monthly Fee", "tenant.name, address ,monthly-fee", "tenant.name,\u200baddress,monthlyFee"],
)
def test_heads_in_other_case_or_with_other_spaces_are_read(heads: str) -> None:
    table = read_csv(f"{heads}\nAda,here,5\n".encode(), WITH_FEE)
    assert table.issues == []
    assert table.rows[0]["variableValues"] == {"address": "here", "monthly_fee": "5"}


def test_an_unknown_head_is_answered_with_the_one_that_is_meant() -> None:
    (issue,) = read_csv(b"adress\nhere\n", TEMPLATE).issues
    assert "Perhaps “address” is meant." in issue.message


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("1250,5", "1250.5"),
        ("1.250,00", "1250.00"),
        ("1 250,00", "1250.00"),
        ("1'250.50", "1250.50"),
        ("1,250.00", "1,250.00"),
        ("1,250", "1,250"),
        ("1.250", "1.250"),
        ("12 apples", "12 apples"),
    ],
)
def test_numbers_with_a_decimal_comma_are_read(cell: str, number: str) -> None:
    (row,) = read_csv(f'monthly_fee;address\n"{cell}";here\n'.encode(), WITH_FEE).rows
    assert row["variableValues"]["monthly_fee"] == number


@pytest.mark.parametrize(
    ("cell", "text"), [('"=""0012"""', "0012"), ('="0012"', "0012"), ('"=""a """"b"""""""', 'a "b"'), ("=1+2", "=1+2")]
)
def test_texts_that_excel_is_told_to_leave_are_read(cell: str, text: str) -> None:
    table = read_csv(f"address\n{cell}\n".encode(), TEMPLATE)
    assert (table.issues, table.rows[0]["variableValues"]) == ([], {"address": text})


def test_quotes_after_spaces_are_quotes() -> None:
    (row,) = read_csv(b'address, rent\n"Street 1, Bergen", "1,250"\n', TEMPLATE).rows
    assert row["variableValues"] == {"address": "Street 1, Bergen", "rent": "1,250"}


@pytest.mark.parametrize("beginning", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"])
def test_a_workbook_is_named(beginning: bytes) -> None:
    with pytest.raises(InvalidBatch) as refused:
        read_csv(beginning + bytes(50), TEMPLATE)
    assert "The file is a workbook." in refused.value.issues[0].message


def test_columns_and_rows_without_anything_are_left_out() -> None:
    empty = ";" * 3000
    lines = [f"tenant.name;;rent;{empty}", f"Ada;;1;{empty}", *[f";;{empty}"] * 5000, f"Grace;;2;{empty}"]
    table = read_csv("\n".join(lines).encode(), TEMPLATE)
    assert (len(table.rows), table.places.lines, table.issues) == (2, (2, 5003), [])


def test_a_column_with_values_needs_a_head() -> None:
    table = read_csv(b"tenant.name,,rent\nAda,x,1\n", TEMPLATE)
    assert [issue.path for issue in table.issues] == ["line 1, column 2"]


def test_lines_that_are_one_quoted_cell_are_named() -> None:
    table = read_csv(b'"tenant.name,rent"\n"Ada,1"\n', TEMPLATE)
    assert "one quoted cell" in table.issues[0].message


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Paweł Żółkiewski", "cp1250"),
        ("Łódź", "cp1250"),
        ("Müller", "mac-roman"),
        ("François Schröder", "mac-roman"),
        ("Гагарин", "cp1251"),
        ("Şahin Yıldız", "cp1254"),
        ("Παπαδόπουλος", "cp1253"),
        ("山田太郎", "shift-jis"),
        ("王小明", "gb18030"),
        ("דוד", "cp1255"),
        ("أحمد", "cp1256"),
    ],
)
def test_a_file_that_may_be_in_another_encoding_says_so(text: str, encoding: str) -> None:
    with pytest.raises(InvalidBatch) as raised:
        read_csv(f"tenant.name\n{text}\n".encode(encoding), TEMPLATE)
    (issue,) = raised.value.issues
    assert (issue.path, "CSV UTF-8" in issue.message) == ("line 2", True)


@pytest.mark.parametrize(
    "text",
    [
        "Zoë Ångström",
        "François d’Été, 3ème étage",
        "Señora Núñez — «Año»",
        "¿Qué? ¡Sí!",
        "85 m² à 1.250,00 €",
        "Nº 7, 1ª planta, 20 °C",
        "œuvre, cœur",
        "Straße § 5",
        "Ærøskøbing Jørgensen Åse",
        "São João, avó",
        "£5 ½ Acme® ©",
    ],
)
def test_western_text_in_windows_1252_is_read(text: str) -> None:
    table = read_csv(f"tenant.name\n{text}\n".encode("cp1252").replace(b",", b" "), TEMPLATE)
    assert table.rows[0]["recipients"][0]["name"] == text.replace(",", " ")


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("31.12.2026", "2026-12-31"),
        ("2026-12-31 00:00:00", "2026-12-31"),
        ("3.4.2026", "2026-04-03"),
        ("31/12/2026", "2026-12-31"),
        ("12/31/2026", "2026-12-31"),
        ("12-31-2026", "2026-12-31"),
        ("4/4/2026", "2026-04-04"),
        ("2026/12/31", "2026-12-31"),
        ("2026-12-31", "2026-12-31"),
        ("2026年12月1日", "2026-12-01"),
        ("2026년 12월 1일", "2026-12-01"),
        ("2026. 12. 1.", "2026-12-01"),
        ("2026\u200f/\u200f12\u200f/\u200f31", "2026-12-31"),
        ("٣١/١٢/٢٠٢٦", "2026-12-31"),
        ("٢٠٢٦-١٢-٣١", "2026-12-31"),
        ("३१.१२.२०२६", "2026-12-31"),
        ("２０２６/１２/３１", "2026-12-31"),
        ("31 / 12 / 2026", "2026-12-31"),
        ("31–12–2026", "2026-12-31"),
        ("31.02.2026", "31.02.2026"),
        ("2026年2月31日", "2026年2月31日"),
        ("31.12.26", "31.12.26"),
        ("tomorrow", "tomorrow"),
    ],
)
def test_a_date_that_can_be_read_in_one_way_is_read(cell: str, day: str) -> None:
    table = read_csv(f"begins\n{cell}\n".encode(), TEMPLATE)
    assert (table.issues, table.rows[0]["variableValues"]) == ([], {"begins": day})


@pytest.mark.parametrize("cell", ["03/04/2026", "3-4-2026", "٣/٤/٢٠٢٦", "3 4 2026"])
def test_a_date_with_two_readings_says_both(cell: str) -> None:
    (issue,) = read_csv(f"begins\n{cell}\n".encode(), TEMPLATE).issues
    assert (issue.path, "2026-03-04 or 2026-04-03" in issue.message) == ("line 2, begins", True)
