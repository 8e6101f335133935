"""Inputs as a union that is told apart by `fieldType`: what each type of field takes. Specification 2.8.

The engine has one class for all of them, whose rules pydantic cannot write as a schema; here they are.
"""

import copy
from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from layout.schema.block_document import FieldType

_INPUTS = ("InputField", "RowField")


class _Variant(NamedTuple):
    """Types of fields that take the same members. `options`: how many at least; None: there are none."""

    name: str
    meaning: str
    types: tuple[str, ...]
    options: int | None = None
    takes_date_format: bool = False
    takes_placeholder: bool = True


_VARIANTS = (
    _Variant("Date", "A date, typed in its `dateFormat`.", ("date",), takes_date_format=True),
    _Variant(
        "Checkbox",
        "A box to tick, or with `options` a group.",
        ("checkbox",),
        options=1,
        takes_placeholder=False,
    ),
    _Variant("Radio", "One of several `options`, all seen.", ("radio",), options=2, takes_placeholder=False),
    _Variant("Dropdown", "One of several `options`, in a list.", ("dropdown",), options=2),
    _Variant("Initials", "The initials of the recipient, typed or drawn.", ("initials",), takes_placeholder=False),
)
_OTHERS = tuple(type_ for type_ in get_args(FieldType) if all(type_ not in variant.types for variant in _VARIANTS))
_ALL = (_Variant("Typed", "Something that the recipient types.", _OTHERS), *_VARIANTS)


def split_fields(schemas: dict[str, Any]) -> None:
    """Puts a union of variants in the place of each schema of an input, in place."""
    for name in _INPUTS:
        whole = schemas[name]
        variants = {f"{variant.name}{name}": _variant(whole, variant) for variant in _ALL}
        schemas.update(variants)
        references = {f"{variant.name}{name}": f"#/components/schemas/{variant.name}{name}" for variant in _ALL}
        schemas[name] = {
            "title": name,
            "description": whole["description"],
            "oneOf": [{"$ref": reference} for reference in references.values()],
            "discriminator": {
                "propertyName": "fieldType",
                "mapping": {type_: references[f"{v.name}{name}"] for v in _ALL for type_ in v.types},
            },
        }


def _variant(whole: Mapping[str, Any], variant: _Variant) -> dict[str, Any]:
    schema: dict[str, Any] = copy.deepcopy(dict(whole))
    members = schema["properties"]
    schema["title"] = f"{variant.name}{whole['title']}"
    schema["description"] = f"{whole['description']} {variant.meaning}"
    type_ = {"const": variant.types[0]} if len(variant.types) == 1 else {"enum": list(variant.types)}
    members["fieldType"] = {"type": "string", **type_}
    if variant.options is None:
        members["options"] = {"type": "null", "description": "this type has none"}
    elif variant.options > 1:
        (options,) = (kind for kind in members["options"]["anyOf"] if kind.get("type") == "array")
        members["options"] = {**options, "minItems": variant.options, "description": members["options"]["description"]}
        schema["required"] = [*schema["required"], "options"]
    if not variant.takes_placeholder:
        members["placeholder"] = {"type": "null", "description": "this type has none"}
    if not variant.takes_date_format:
        members["dateFormat"] = {"type": "null", "description": "this type has none"}
    return schema
