"""The lists of the guide to block documents, from the schemas: members, blocks, inputs and recipients."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from application.schemas.session_create import RecipientCreate
from layout.schema.block_document import Block, BlockDocument
from layout.schema.block_part import BlockPart
from layout.schema.input import Input
from layout.schema.runs import Run

Schema = Mapping[str, Any]

MAX_VALUES = 12
"""Values of an enum that are listed; there are more languages."""

COMMON = frozenset(to_camel(name) for name in BlockPart.model_fields)
"""Members of all blocks, which the guide states once."""

LIMITS = (("minimum", "maximum"), ("minItems", "maxItems"))


def block_lists() -> dict[str, str]:
    """Returns each list in Markdown, by its name in the guide."""
    return {
        "document": _list(_members(BlockDocument)),
        "blocks": _list(map(_kind, get_args(get_args(Block)[0]))),
        "runs": _list(_members(Run)),
        "inputs": _list(_members(Input)),
        "recipients": _list(_members(RecipientCreate)),
    }


def _list(entries: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- `{name}`: {text}" for name, text in entries)


def _kind(block: type[BaseModel]) -> tuple[str, str]:
    """Returns the type of a block, with a sentence on it and on each of its members. Inputs have a list."""
    members = () if issubclass(block, Input) else (one for one in _members(block) if one[0] not in COMMON)
    (kind,) = get_args(block.model_fields["type"].annotation)
    return kind, " ".join((str(block.__doc__), *(f"`{name}`: {text}" for name, text in members if name != "type")))


def _members(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Yields each member with its values or limits, its meaning, and the members of an object."""
    schema = model.model_json_schema()
    for name, member in schema["properties"].items():
        if "const" in member:
            yield name, f"`{member['const']}`."
            continue
        form = _form(member)
        text = f"{member['description'].rstrip('.')}."
        inner = schema.get("$defs", {}).get(form.get("$ref", "").rpartition("/")[2], {}).get("properties", {})
        parts = ", ".join(f"`{part}`{_values(_form(inner[part]), ' ({})')}" for part in inner)
        yield name, f"{_values(form, '{}. ', text)}{text}{f' Members: {parts}.' if parts else ''}"


def _form(member: Schema) -> Schema:
    """Returns the schema of a member besides null."""
    return next((form for form in member.get("anyOf", ()) if form.get("type") != "null"), member)


def _values(form: Schema, frame: str, text: str = "") -> str:
    """Returns, in `frame`, the values of an enum that `text` does not describe, or the limits of a number or list."""
    values = [f"`{value}`" for value in form.get("enum", ())]
    if len(values) > MAX_VALUES or all(value in text for value in values):
        values = [f"{form[low]} to {form[high]}" for low, high in LIMITS if low in form]
    return frame.format(", ".join(values)) if values else ""
