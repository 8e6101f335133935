"""What recipients type is checked in full, and nobody fills in another's inputs."""

from domain.fields import MAX_TEXT, Field, FieldKind, collect_values
from domain.ids import FileId
from tests.builders import identifier

FILE = FileId(identifier("Agreement"))
ROLE = Field(file_id=FILE, name="role", kind=FieldKind.TEXT, label="Your role", required=True)
NOTE = Field(file_id=FILE, name="note", kind=FieldKind.TEXT, label="Note", required=False)
TERMS = Field(file_id=FILE, name="terms", kind=FieldKind.CHECKBOX, label="I have read the terms", required=True)


def drawable(text: str) -> str:
    return "".join(c for c in text if c == "☃")


def test_values_come_out_in_the_order_of_the_fields_with_white_space_trimmed() -> None:
    values, problems = collect_values([ROLE, NOTE, TERMS], {ROLE.key: "  Director ", TERMS.key: "true"}, drawable)
    assert [(v.name, v.value) for v in values] == [("role", "Director"), ("note", ""), ("terms", "true")]
    assert problems == ()


def test_everything_wrong_is_said_at_once() -> None:
    _, problems = collect_values([ROLE, NOTE, TERMS], {NOTE.key: "snow ☃"}, drawable)
    assert [problem.key for problem in problems] == [ROLE.key, NOTE.key, TERMS.key]
    assert "☃" in problems[1].message


def test_a_text_may_have_its_full_length_and_not_a_character_more() -> None:
    assert collect_values([ROLE], {ROLE.key: "x" * MAX_TEXT}, drawable)[1] == ()
    assert len(collect_values([ROLE], {ROLE.key: "x" * (MAX_TEXT + 1)}, drawable)[1]) == 1


def test_answers_to_inputs_of_somebody_else_are_nobodys() -> None:
    values, _ = collect_values([ROLE], {ROLE.key: "Director", NOTE.key: "not mine"}, drawable)
    assert [v.name for v in values] == ["role"]
