"""Lines of values in JSON."""

import json

import pytest

from application.documents.json_lines import lines_of

TEXT = """{
  "name": "A \\"quoted\\" {name}, [with] marks:",
  "files": [
    {"type": "blocks", "a/b": {}},
    {
      "document": {"blocks": [1,
        -2.5e3, true, null,
        {"text": "x"}
      ]}
    }
  ],
  "recipients": []
}"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 1), ("/name", 2), ("/files", 3), ("/files/0", 4), ("/files/0/type", 4), ("/files/0/a~1b", 4),
        ("/files/1", 5), ("/files/1/document", 6), ("/files/1/document/blocks/0", 6),
        ("/files/1/document/blocks/1", 7), ("/files/1/document/blocks/2", 7), ("/files/1/document/blocks/3", 7),
        ("/files/1/document/blocks/4/text", 8), ("/recipients", 12),
    ],
)  # fmt: skip
def test_a_value_has_the_line_of_its_name_or_its_beginning(pointer: str, line: int) -> None:
    assert json.loads(TEXT)
    assert lines_of(TEXT, [pointer]) == {pointer: line}


@pytest.mark.parametrize(
    ("pointer", "line"), [("/message", 1), ("/files/1/document/title", 6), ("/files/7/type", 3), ("/recipients/0", 12)]
)
def test_a_missing_value_has_the_line_of_what_should_hold_it(pointer: str, line: int) -> None:
    assert lines_of(TEXT, [pointer]) == {pointer: line}


@pytest.mark.parametrize("text", ["[]", "7", '"text"', "\n\n[{}]"])
def test_any_json_has_lines(text: str) -> None:
    assert lines_of(text, [""])[""] == 1 + text.index(text.strip()[0])
