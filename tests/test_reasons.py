"""Code that suppresses, shields or locks says why, in a comment beside it or above it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ROOT
from tests.test_architecture import sources

NEEDS_REASON = re.compile(r"(^|\.)(suppress|shield|with_for_update|Lock|RLock)$")


def unexplained(source: str) -> Iterator[int]:
    """Yields the numbers of lines that need a reason and have none."""
    lines = ["", *source.splitlines(), ""]
    for node in ast.walk(ast.parse(source)):
        is_silent = isinstance(node, ast.ExceptHandler) and isinstance(node.body[0], ast.Pass | ast.Continue)
        is_call = isinstance(node, ast.Call) and NEEDS_REASON.search(ast.unparse(node.func))
        if (is_silent or is_call) and isinstance(node, ast.ExceptHandler | ast.Call):
            above, line, below = lines[node.lineno - 1 : node.lineno + 2]
            if "#" not in above + line + (below if is_silent else "") and not below.lstrip().startswith('"""'):
                yield node.lineno


def test_every_suppression_shield_and_lock_has_a_reason() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources()
        if "migrations" not in path.parts
        for line in unexplained(Path(path).read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("with suppress(KeyError):\n    pass", 1),
        ("# another deleted it\nwith suppress(KeyError):\n    pass", 0),
        ("with suppress(KeyError):  # another deleted it\n    pass", 0),
        ("await asyncio.shield(work)", 1),
        ("self._lock = threading.Lock()", 1),
        ("rows = query.with_for_update()", 1),
        ("try:\n    act()\nexcept ValueError:\n    pass", 1),
        ("try:\n    act()\nexcept ValueError:\n    # it is read below\n    pass", 0),
        ("try:\n    act()\nexcept ValueError:\n    raise", 0),
    ],
)
def test_a_missing_reason_is_found(source: str, count: int) -> None:
    assert len([*unexplained(source)]) == count
