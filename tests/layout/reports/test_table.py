"""Tables in letters that are ten points wide: lines of 10, 3 above and below each row, 15 for the names of columns."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from layout.blocks.block import Block, Nothing, Part, Whole
from layout.frames import Frame, Pattern, Placed, Role, Text, frames_of
from layout.reports.qr_code import QrCode, SideBySide
from layout.reports.table import TALL, Entry, Table
from tests.layout import even_fonts
from tests.layout.even_fonts import TEN, placed, whole

HEAD = 15.0


def table(*lines: int, head: tuple[str, ...] = ("No.", "What")) -> Table:
    """A table of rows whose second cell has so many lines."""
    rows = tuple(
        ((Entry(str(row), TEN),), tuple(Entry(f"{row}.{line}", TEN) for line in range(count)))
        for row, count in enumerate(lines)
    )
    return Table("/parts/0", (1, 3), head, rows)


def fit(block: Block, height: float) -> Whole | Part | Nothing:
    return even_fonts.fit(block, height, 212)


def texts(frame: Frame, *roles: Role) -> list[str]:
    found = [at for at in frames_of(Placed(0, 0, frame)) if at.frame.role in roles]
    return [item.text.strip() for at in found for item in at.frame.items if isinstance(item, Text)]


def test_cells_share_the_room_with_a_gap_between_them() -> None:
    (row,) = placed(whole(table(1, head=()), 212))
    shares = [(cell.x, cell.y, cell.frame.width) for cell in placed(row.frame)]
    assert shares == [(0, 3, 50), (62, 3, 150)]  # 212 less a gap of 12, one part to three


def test_mirrored_columns_run_from_right_to_left_and_their_texts_begin_at_the_right() -> None:
    frame = whole(replace(table(1), is_mirrored=True), 212)
    cells = [at for at in frames_of(Placed(0, 0, frame)) if at.frame.role in (Role.COLUMN_HEAD, Role.CELL)]
    assert [(cell.x, cell.frame.width) for cell in cells] == [(162, 50), (0, 150)] * 2
    for cell in cells:
        assert [item.x + item.width for item in cell.frame.items if isinstance(item, Text)] == [cell.frame.width]


def test_a_row_is_as_high_as_its_highest_cell() -> None:
    assert whole(table(3, 1), 212).height == HEAD + (3 + 30 + 3) + (3 + 10 + 3)


def test_names_of_columns_are_heads_and_otherwise_the_first_cell_of_each_row_is() -> None:
    with_head, without = whole(table(1), 212), whole(table(1, head=()), 212)
    assert texts(with_head, Role.COLUMN_HEAD) == ["No.", "What"]
    assert texts(with_head, Role.ROW_HEAD) == []
    assert texts(without, Role.ROW_HEAD) == ["0"]


def test_what_does_not_fit_goes_on_with_the_names_of_the_columns_as_decoration() -> None:
    found = fit(table(1, 1, 1), HEAD + 40)
    assert isinstance(found, Part)
    rest = whole(found.rest, 212)
    assert texts(found.frame, Role.CELL) == ["0", "0.0", "1", "1.0"]
    assert texts(rest, Role.CELL) == ["2", "2.0"]
    assert texts(rest, Role.COLUMN_HEAD) == []
    assert texts(rest, Role.ARTIFACT) == ["No.", "What"]


def test_a_table_about_one_thing_stays_whole() -> None:
    assert isinstance(fit(table(1, 1, head=()), 20), Nothing)


def test_a_row_stays_whole() -> None:
    found = fit(table(1, 3), HEAD + 16 + 30)
    assert isinstance(found, Part)
    assert texts(found.frame, Role.CELL) == ["0", "0.0"]


def test_a_row_that_no_page_would_hold_is_cut_between_lines() -> None:
    count = int(TALL)
    found = fit(table(count), HEAD + 106)
    assert isinstance(found, Part)
    assert len(texts(found.frame, Role.CELL)) == 11  # the number, and ten lines


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8), st.floats(700, 900))
def test_no_line_is_lost_or_doubled_and_it_ends(lines: list[int], height: float) -> None:
    written = table(*lines)
    seen: list[str] = []
    found = fit(written, height)
    while isinstance(found, Part):
        assert found.frame.height <= height + 0.001
        seen += texts(found.frame, Role.CELL)
        found = fit(found.rest, height)
    assert isinstance(found, Whole)
    seen += texts(found.frame, Role.CELL)
    assert seen == [entry.text for row in written.rows for cell in row for entry in cell]


def test_a_code_is_made_of_squares_that_are_whole_hundredths_of_a_point() -> None:
    frame = whole(QrCode("/parts/0", "https://sign.example.com/verify", "Check"), 84)
    (pattern,) = (item for at in frames_of(Placed(0, 0, frame)) for item in even_fonts.items_of(at.frame, Pattern))
    square = 100 * pattern.rect.w / len(pattern.rows)
    assert abs(square - round(square)) < 0.0001
    assert pattern.rows[0][:8] == (True,) * 7 + (False,)  # the upper edge of the finder in the corner


def test_what_stands_side_by_side_is_kept_whole() -> None:
    code = QrCode("/parts/0/code", "https://sign.example.com/verify", "Check")
    both = SideBySide("/parts/0", table(1, head=()), code, 84)
    assert [item.x for item in placed(whole(both, 324))] == [0, 240]
    assert isinstance(even_fonts.fit(both, 50, 324), Nothing)
