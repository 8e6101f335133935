"""What code, tests and documents refer to is in the repository: sections, decisions, files and headings."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import ROOT

SUFFIXES = {".py", ".md", ".toml", ".yaml", ".yml", ".html", ".js", ".css", ".sh", ".txt", ""}
NOT_OURS = {"goldens", "histories", "vendor", "node_modules", "__pycache__", "build", "dist", "demo-output"}
"""Folders of files that are recorded, built or come from others."""

_NUMBER = r"\d+(?:\.\d+)?(?: \([^)]*\))?"
CITATION = re.compile(rf"\bSpecification\s+({_NUMBER}(?:(?:,| and| to)\s+{_NUMBER})*)")
OTHER_FORMS = re.compile(
    r"\b(?:spec|contract|specification)s?(?::|\s+sections?|\s*§)?\s+\d"
    r"|\(sections? \d|(?<!RFC \d{4} )\bsections? \d+\.\d|\b(?:service|contract)\.md\b",
    re.IGNORECASE,
)
"""What is left of such a form in a text without its citations."""

FORMS_THAT_ARE_REFUSED = (
    "Spec: 2.7|Spec 2.7|specification 2.4|Specification: 2.7|Specification section 2.7|specification § 2.7|contract 4|"
    "Contract 12|contracts 4 and 5|contract 17a|sections 2.1 to 2.3|(section 16)|service.md"
)
DECISION = re.compile(r"\b(?:decision|record)s? (\d+)(?:(?:,| and) (\d+))?|[\[(](00\d\d)[\])]", re.IGNORECASE)
FOLDERS = "|".join(sorted(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")))
NAMED_FILE = re.compile(
    rf"(?<![\w./-])(?:(?:{FOLDERS})/[\w./-]*\.(?:py|md|json|toml|yaml|sh|png|txt|lock)|(?:\w+/)*test_\w+\.py)\b"
)
MODULE = re.compile(rf"`((?!undersign\.)(?:{FOLDERS})(?:\.[a-z]\w*)+)((?:\.[A-Z_]\w*)*)`")
"""A dotted name in backticks, such as that of a function, which begins with a folder. `undersign.db` is a file."""

LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


class Reference(NamedTuple):
    """A reference in a file (relative to the repository), and the line (from 1) that it stands in."""

    file: str
    line: int
    to: str


def files() -> Iterator[Path]:
    """Yields every file of the repository that is neither hidden nor in a folder that is not ours."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in NOT_OURS and not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


FILES = list(files())
TEXTS = {path: path.read_text(encoding="utf-8") for path in FILES if path.suffix in SUFFIXES and path != Path(__file__)}
PAGES = {path: text for path, text in TEXTS.items() if path.suffix == ".md"}
SECTIONS = set(re.findall(r"^##+ (\d+(?:\.\d+)?) ", (ROOT / "docs/specification.md").read_text(), re.MULTILINE))
DECISIONS = {int(path.name[:4]) for path in (ROOT / "docs" / "decisions").glob("0*.md")}


def references(pattern: re.Pattern[str], found_in: dict[Path, str] = TEXTS) -> list[Reference]:
    """Returns each match of `pattern`: its groups with spaces between, or the whole of it where it has none."""
    return [
        Reference(str(path.relative_to(ROOT)), text.count("\n", 0, match.start()) + 1, " ".join(filter(None, shown)))
        for path, text in found_in.items()
        for match in pattern.finditer(text)
        if (shown := match.groups() or (match[0],))
    ]


def _blank(match: re.Match[str]) -> str:
    """What takes the place of a match that does not count: its line ends, so that lines keep their numbers."""
    return "\n" * match[0].count("\n")


def numbers(cited: str) -> list[str]:
    """Returns the sections that a citation names; what stands in parentheses says which part of one is meant."""
    return re.findall(r"\d+(?:\.\d+)?", re.sub(r"\([^)]*\)", "", cited))


def slugs(page: str) -> set[str]:
    """Returns the anchors of a page's headings, as GitHub makes them."""
    times: Counter[str] = Counter()
    anchors = set()
    for heading in HEADING.findall(FENCE.sub("", page)):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        anchors.add(f"{slug}-{times[slug]}" if times[slug] else slug)
        times[slug] += 1
    return anchors


def leads_somewhere(page: Path, target: str) -> bool:
    """Returns whether the link `target` of `page` leads to a file, and to a heading of it where it names one."""
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.exists():
        return False
    return not anchor or anchor in slugs(path.read_text(encoding="utf-8"))


def test_every_citation_names_a_section_of_the_specification() -> None:
    cited = references(CITATION)

    assert len(cited) > 100
    assert [citation for citation in cited if not SECTIONS.issuperset(numbers(citation.to))] == []


def test_the_specification_is_cited_in_one_form() -> None:
    others = {path: CITATION.sub(_blank, text) for path, text in TEXTS.items()}

    assert references(OTHER_FORMS, others) == []


@pytest.mark.parametrize("text", FORMS_THAT_ARE_REFUSED.split("|"))
def test_another_form_of_citation_is_found(text: str) -> None:
    assert OTHER_FORMS.search(text)
    assert not CITATION.search(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Specification 2.7.", ["2.7"]),
        ("Specification 8.", ["8"]),
        ("Specification 2.5 (logo), 2.12 (rule 3) and 7.3", ["2.5", "2.12", "7.3"]),
        ("Specification 2.1 to 2.4, RFC 8414", ["2.1", "2.4"]),
    ],
)
def test_a_citation_names_sections(text: str, found: list[str]) -> None:
    match = CITATION.search(text)

    assert match
    assert numbers(match[1]) == found


def test_the_sections_of_the_specification_refer_to_each_other() -> None:
    page = ROOT / "docs/specification.md"
    inner = re.compile(r"\(((?:see )?\d+\.\d+(?:, \d+\.\d+)*)\)|\b(?:see|in|of) (\d+\.\d+)\b")
    referred = references(inner, {page: PAGES[page]})

    assert len(referred) > 30
    assert [reference for reference in referred if not SECTIONS.issuperset(numbers(reference.to))] == []


def test_every_link_of_a_page_leads_to_a_file_and_a_heading() -> None:
    pages = {path: CODE.sub(_blank, text) for path, text in PAGES.items()}
    links = [link for link in references(LINK, pages) if not re.match(r"[a-z]+:", link.to)]

    assert len(links) > 50
    assert [link for link in links if not leads_somewhere(ROOT / link.file, link.to)] == []


def test_every_decision_that_is_cited_exists() -> None:
    cited = references(DECISION)

    assert len(cited) > 10
    assert [found for found in cited if not DECISIONS.issuperset(map(int, found.to.split()))] == []


def test_every_file_that_is_named_exists() -> None:
    named = [file for file in references(NAMED_FILE) if not NOT_OURS & set(file.to.split("/"))]
    there = [f"/{path.relative_to(ROOT)}" for path in FILES]

    assert len(named) > 100
    assert [file for file in named if not any(path.endswith(f"/{file.to}") for path in there)] == []


def test_every_module_that_is_named_exists() -> None:
    named = [reference for reference in references(MODULE) if not reference.file.startswith("tests/")]

    assert len(named) > 50
    assert [reference for reference in named if not _is_defined(reference.to)] == []


def _is_defined(dotted: str) -> bool:
    """Returns whether the dotted name is a module or package, or a name in the text of one."""
    *parts, last = dotted.replace(" ", "").split(".")
    if (ROOT.joinpath(*parts, last)).is_dir() or ROOT.joinpath(*parts, f"{last}.py").is_file():
        return True
    modules = [ROOT.joinpath(*parts[:depth]).with_suffix(".py") for depth in range(len(parts), 0, -1)]
    module = next((path for path in modules if path.is_file()), None)
    return module is not None and re.search(rf"\b{last}\b", module.read_text(encoding="utf-8")) is not None


def test_the_architecture_lists_every_folder() -> None:
    page = PAGES[ROOT / "docs/architecture.md"]
    packages = {init.parent.relative_to(ROOT) for depth in ("*", "*/*") for init in ROOT.glob(f"{depth}/__init__.py")}
    folders = sorted(f"{folder}/" for folder in packages if "tests" not in folder.parts)

    assert len(folders) > 50
    assert [folder for folder in folders if f"`{folder}`" not in page] == []
