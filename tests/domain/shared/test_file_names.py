"""File names in file systems and in headers."""

import pytest

from domain.shared.file_names import attachment, free_name, inline, safe_file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Consulting agreement", "Consulting agreement.pdf"),
        ("Vertrag Ü", "Vertrag Ü.pdf"),
        ("../../etc/passwd", "etc-passwd.pdf"),
        ("A\r\nB", "A-B.pdf"),
        ("...", "document.pdf"),
        ("x" * 300, "x" * 120 + ".pdf"),
        ("契" * 120, "契" * 66 + ".pdf"),
        ("CON", "document-CON.pdf"),
        ("nul.report", "document-nul.report.pdf"),
        ("Console", "Console.pdf"),
    ],
)
def test_a_title_becomes_a_safe_name(title: str, name: str) -> None:
    assert safe_file_name(title) == name


def test_equal_names_get_a_number() -> None:
    taken: set[str] = set()

    assert [free_name(name, taken) for name in ("A.pdf", "a.pdf", "A.pdf")] == ["A.pdf", "a (2).pdf", "A (3).pdf"]


def test_a_name_cannot_break_out_of_its_header() -> None:
    assert attachment('a"; filename="b.exe') == (
        "attachment; filename=\"a_; filename=_b.exe\"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe"
    )
    assert attachment("a\r\nX: y.pdf").isprintable()


def test_old_clients_get_an_ascii_name_beside_the_exact_one() -> None:
    assert attachment("Verträge.pdf") == "attachment; filename=\"Vertr_ge.pdf\"; filename*=UTF-8''Vertr%C3%A4ge.pdf"
    assert inline("a.pdf") == "inline; filename=\"a.pdf\"; filename*=UTF-8''a.pdf"
