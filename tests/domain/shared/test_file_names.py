"""File names in file systems and in headers."""

import unicodedata

import pytest

from domain.shared.file_names import attachment, certificate_name, free_name, inline, safe_file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Consulting agreement", "Consulting agreement.pdf"),
        ("Vertrag Ü", "Vertrag Ü.pdf"),
        ("../../etc/passwd", "etc-passwd.pdf"),
        ("A\r\nB", "A-B.pdf"),
        ("A\x85B\u2028C", "A-B-C.pdf"),
        ("...", "document.pdf"),
        ("x" * 300, "x" * 120 + ".pdf"),
        ("契" * 120, "契" * 66 + ".pdf"),
        ("CON", "document-CON.pdf"),
        ("CON .pdf", "document-CON .pdf.pdf"),
        ("conout$", "document-conout$.pdf"),
        ("nul.report", "document-nul.report.pdf"),
        ("Console", "Console.pdf"),
    ],
)
def test_a_title_becomes_a_safe_name(title: str, name: str) -> None:
    assert safe_file_name(title) == name


@pytest.mark.parametrize("name", ["Lease", "x" * 300, "契" * 300, "👩🏽" * 100, "x" * 91 + " y", "CON", "..."])
def test_the_name_of_a_certificate_says_that_it_is_one(name: str) -> None:
    named = certificate_name(name)
    assert named.endswith(" - certificate of completion.pdf")
    assert len(named.encode()) <= 204


def test_equal_names_get_a_number() -> None:
    taken: set[str] = set()

    assert [free_name(name, taken) for name in ("A.pdf", "a.pdf", "A.pdf")] == ["A.pdf", "a (2).pdf", "A (3).pdf"]


def test_names_are_equal_in_every_unicode_form() -> None:
    taken: set[str] = set()
    names = [free_name(unicodedata.normalize(form, "Verträge.pdf"), taken) for form in ("NFC", "NFD")]
    assert names == ["Verträge.pdf", unicodedata.normalize("NFD", "Verträge (2).pdf")]


@pytest.mark.parametrize("name", ["契" * 200 + ".pdf", "я" * 251 + ".pdf", "👩🏽" * 100 + ".pdf", "x." + "y" * 300])
def test_names_have_at_most_255_bytes_with_their_numbers(name: str) -> None:
    taken: set[str] = set()
    names = [free_name(name, taken) for _ in range(12)]
    assert len({*names}) == len(names)
    assert all(len(one.encode()) <= 255 for one in names)
    assert all(one.endswith(".pdf") == name.endswith(".pdf") for one in names)


def test_a_name_cannot_break_out_of_its_header() -> None:
    assert attachment('a"; filename="b.exe') == (
        "attachment; filename=\"a_; filename=_b.exe\"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe"
    )
    assert attachment("a\r\nX: y.pdf").isprintable()


def test_old_clients_get_an_ascii_name_beside_the_exact_one() -> None:
    assert attachment("Verträge.pdf") == "attachment; filename=\"Vertr_ge.pdf\"; filename*=UTF-8''Vertr%C3%A4ge.pdf"
    assert inline("a.pdf") == "inline; filename=\"a.pdf\"; filename*=UTF-8''a.pdf"
