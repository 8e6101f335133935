"""Files are what they say they are, as far as independent programs can tell. PDF/A is asked for by `make archival`."""

import pytest

from tests.layout.checkers import accessibility_findings
from tests.layout.reading import check
from tests.layout.standards import files

pytestmark = pytest.mark.pdfua
NAMES = (
    "agreement",
    "example",
    "inputs",
    "letters",
    "links",
    "pictures",
    "report",
    "scripts",
    "signed",
    "typed",
    "without title",
)


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return files()


@pytest.fixture(scope="module")
def findings(made: dict[str, bytes]) -> dict[str, list[str]]:
    return accessibility_findings(made)


def test_every_document_is_held_against_them(made: dict[str, bytes]) -> None:
    assert sorted(made) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_checkers_of_pdf_ua_find_nothing(name: str, findings: dict[str, list[str]]) -> None:
    assert findings[name] == []


@pytest.mark.parametrize("name", NAMES)
def test_qpdf_finds_nothing(name: str, made: dict[str, bytes]) -> None:
    check(made[name])


def test_the_checkers_do_find_what_is_missing(made: dict[str, bytes]) -> None:
    broken = made["links"].replace(b"<pdfuaid:part>1</pdfuaid:part>", b" " * 30)
    assert accessibility_findings({"broken": broken})["broken"] != []
