"""Names of code keep to the words of `docs/contributing.md`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ROOT
from tests.test_architecture import sources

TABLE = (ROOT / "docs/contributing.md").read_text("utf-8").partition("\n## Words\n")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| ([a-z]+) \| [^|]+ \| ([a-z, ]*) ?\|$", TABLE, re.MULTILINE)
REFUSED = {word: instead for instead, others in ROWS for word in re.findall(r"[a-z]+", others)}

SIZES = re.compile(r"_?(MOST|LARGEST|LONGEST|SMALLEST|SHORTEST|LEAST)(_[A-Z_]+)?")
"""Names of constants for limits other than MAX and MIN."""


def names_in(path: Path) -> Iterator[str]:
    """Yields the names that a file defines, and its own."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def words_of(name: str) -> set[str]:
    words = {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}
    return words | {word.removesuffix("s") for word in words}


NAMES = [(path, name) for path in sources() if "migrations" not in path.parts for name in names_in(path)]


def test_the_table_has_forty_words() -> None:
    assert len(ROWS) == len(re.findall(r"^\| [a-z]", TABLE, re.MULTILINE))
    assert len(ROWS) >= 40
    assert REFUSED.keys() & {word for word, _ in ROWS} == set()


@pytest.mark.parametrize("word", [word for word, _ in ROWS])
def test_each_word_is_that_of_a_name(word: str) -> None:
    assert any(word in words_of(name) for _, name in NAMES)


def test_no_name_has_another_word_for_the_same_idea() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {name}: say {REFUSED[word]}"
        for path, name in NAMES
        for word in words_of(name) & REFUSED.keys()
    }
    assert found == set()


def test_limits_are_called_max_and_min() -> None:
    assert {f"{path.relative_to(ROOT)}: {name}" for path, name in NAMES if SIZES.fullmatch(name)} == set()


def test_no_file_is_named_by_a_list() -> None:
    assert {str(path.relative_to(ROOT)) for path, _ in NAMES if "_and_" in path.stem} == set()
