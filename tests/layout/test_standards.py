"""Files are what they say they are, as far as independent programs can tell. `make archival` checks PDF/A."""

import pytest

from tests.layout.reading import check
from tests.layout.standards import accessibility_findings, files

pytestmark = pytest.mark.pdfua


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return files()


def test_the_checkers_of_pdf_ua_and_qpdf_find_nothing(made: dict[str, bytes]) -> None:
    assert len(made) == 16
    assert accessibility_findings(made) == {name: [] for name in made}
    for pdf in made.values():
        check(pdf)


def test_the_checkers_do_find_what_is_missing(made: dict[str, bytes]) -> None:
    broken = made["links"].replace(b"<pdfuaid:part>1</pdfuaid:part>", b" " * 30)
    assert accessibility_findings({"broken": broken})["broken"] != []
