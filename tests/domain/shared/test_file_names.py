"""Names of files that every system takes."""

import pytest

from domain.shared.file_names import safe_file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Consulting agreement", "Consulting agreement.pdf"),
        ("Vertrag Ü", "Vertrag Ü.pdf"),
        ("../../etc/passwd", "etc-passwd.pdf"),
        ("A\r\nB", "A-B.pdf"),
        ("...", "document.pdf"),
        ("x" * 300, "x" * 120 + ".pdf"),
    ],
)
def test_a_title_becomes_a_safe_name(title: str, name: str) -> None:
    assert safe_file_name(title) == name
