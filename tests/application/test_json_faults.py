"""The likely causes of invalid JSON."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from application.json_faults import explain_invalid_json
from tests.api.service import Service

CAUSES = {
    '{"a": 1,}': "a comma after the last item; remove it, see line 1, column 8",
    '{"a": [1, 2,\n]}': "a comma after the last item; remove it, see line 1, column 12",
    "{'a': 1}": "double quotation marks",
    "{“a”: 1}": "double quotation marks",
    "{a: 1}": 'names stand in double quotation marks; write "a"',
    '{"a": text}': 'write "text"',
    '{"a": 1 // why\n}': "comments are not allowed",
    '{"a": /* why */ 1}': "comments are not allowed",
    "# why\n{}": "comments are not allowed",
    '{"a": True}': "True is no value of JSON; write true",
    '{"a": None}': "None is no value of JSON; write null",
    '{"a": undefined}': "undefined is no value of JSON; write null",
    '{"a": 1': "it ends too early",
    '{"a": [1, 2': "it ends too early",
    '{"a": "x': "a text has no closing quotation mark",
    '{"a": "x\ny"}': "a text holds a line break or a tab",
    '{"a": "\\x"}': "a backslash begins an escape that does not exist",
    '{"a": 1}{"b": 2}': "something follows its end",
    '{"a": 1 "b": 2}': "a comma or a closing bracket is missing before this place",
    '{"a" 1}': "a colon is missing",
    '{"a": }': "a value or a name is missing",
    '{"a": 0x10}': "0x10 is no number of JSON; write numbers as 30, 0.5 or -3, see line 1, column 8",
    '{"a": 030}': "030 is no number of JSON",
    '{"a": +30}': "+30 is no number of JSON",
    '{"a": .5}': ".5 is no number of JSON",
    '{"a": 5.}': "5. is no number of JSON",
    '{"a": 1_000}': "1_000 is no number of JSON",
    '{"a": nan}': "nan is no number of JSON; write null",
    '{"a":\N{NO-BREAK SPACE}1}': "the character (U+00A0) does not belong here",
    '({"a": 1})': "the character “(” (U+0028) does not belong here",
    "<!DOCTYPE html><p>": "it is XML or HTML",
    "---\na: 1": "it is YAML",
    '--x\r\nContent-Disposition: form-data; name="a"\r\n': "it is a form with parts",
    "@session.json": "it is the name of a file",
    "[object Object]": "write JSON.stringify(object)",
    "name=Lease&files=": "it is a form",
    "": "it is empty",
    " \n": "it is empty",
}


@pytest.mark.parametrize(("body", "cause"), CAUSES.items())
async def test_the_cause_is_named(service: Service, body: str, cause: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = await service.http().post("/api/v1/Session", content=body.encode(), headers=headers)

    (issue,) = answer.json()["issues"]
    assert answer.status_code == 400
    assert issue["path"] == ""
    assert issue["message"].startswith("The body is not JSON: ")
    assert cause in issue["message"]


def test_a_compressed_body_is_said_to_be_one() -> None:
    fault = explain_invalid_json(gzip.compress(b"{}"))
    assert fault is not None
    assert "it is compressed" in fault.message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_is_named(encoding: str) -> None:
    assert "UTF-8" in str(explain_invalid_json('{"a": 1}'.encode(encoding)))


def test_bytes_that_are_no_text_are_named() -> None:
    assert "the byte at position 8 is not UTF-8" in str(explain_invalid_json(b'{"a": "\xe9"}'))


@given(some.recursive(some.none() | some.integers() | some.text(), some.lists), some.data())
def test_every_fault_has_a_place_within_the_body(value: object, data: some.DataObject) -> None:
    text = json.dumps({"a": value}, indent=1)
    at = data.draw(some.integers(0, len(text)))
    broken = (
        text[:at] + data.draw(some.sampled_from([",", "'", "}", "\\", "//", "NaNa", "\n", '"', ""])) + text[at + 1 :]
    )
    message = explain_invalid_json(broken.encode())

    try:
        json.loads(broken)
    except ValueError:
        assert message
    else:
        assert message is None
