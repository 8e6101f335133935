"""Reports show what no font draws by code point."""

import pytest

from layout.reports.render_report import render_report
from layout.reports.report import Note, Report
from tests.layout.reading import text_of


@pytest.mark.poppler
def test_characters_that_no_font_draws_are_shown_by_code_point() -> None:
    report = Report("Title", "Subtitle", "Footer", (Note("lease \U0001fae8\U00010900 \u202egpj.exe"),))
    assert "lease [U+1FAE8 U+10900] [U+202E]gpj.exe" in " ".join(text_of(render_report(report)).split())
