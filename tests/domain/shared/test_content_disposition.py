"""Names of files in headers."""

from domain.shared.file_names import attachment, inline


def test_a_name_cannot_break_out_of_its_header() -> None:
    assert attachment('a"; filename="b.exe') == (
        "attachment; filename=\"a_; filename=_b.exe\"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe"
    )
    assert attachment("a\r\nX: y.pdf").isprintable()


def test_old_clients_are_told_a_name_in_ascii_beside_the_exact_one() -> None:
    assert attachment("Verträge.pdf") == "attachment; filename=\"Vertr_ge.pdf\"; filename*=UTF-8''Vertr%C3%A4ge.pdf"
    assert inline("a.pdf") == "inline; filename=\"a.pdf\"; filename*=UTF-8''a.pdf"
