"""The schemas of input fields as a union, discriminated by `fieldType` (Specification 2.8).

The engine has one class for all types, with rules that pydantic cannot express as a schema.
"""

import copy
from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from layout.schema.block_document import FieldType

_INPUTS = ("InputField", "RowField")


class _Variant(NamedTuple):
    """Field types with the same members. `options` is their minimum number."""

    name: str
    description: str
    types: tuple[str, ...]
    members: frozenset[str] = frozenset()
    options: int = 0


_OPTIONAL = {"options", "placeholder", "dateFormat"}
"""Members that some types do not have."""

_VARIANTS = (
    _Variant("Date", "A date, typed in its `dateFormat`.", ("date",), frozenset({"placeholder", "dateFormat"})),
    _Variant("Checkbox", "A checkbox, or with `options` a group.", ("checkbox",), frozenset({"options"})),
    _Variant("Radio", "One of the visible `options`.", ("radio",), frozenset({"options"}), options=2),
    _Variant("Dropdown", "One of the `options` in a list.", ("dropdown",), frozenset({"options", "placeholder"}), 2),
    _Variant("Initials", "The initials of the recipient, typed or drawn.", ("initials",)),
)
_TYPED = tuple(type_ for type_ in get_args(FieldType) if all(type_ not in variant.types for variant in _VARIANTS))
_ALL = (_Variant("Typed", "A text that the recipient types.", _TYPED, frozenset({"placeholder"})), *_VARIANTS)


def split_fields(schemas: dict[str, Any]) -> None:
    """Replaces each schema of an input by a union of variants, in place."""
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
    schema["description"] = f"{whole['description']} {variant.description}"
    type_ = {"const": variant.types[0]} if len(variant.types) == 1 else {"enum": list(variant.types)}
    members["fieldType"] = {"type": "string", "description": "Type of the field.", **type_}
    for absent in _OPTIONAL - variant.members:
        members[absent] = {"type": "null", "description": "Not available for this type."}
    if variant.options:
        (options,) = (kind for kind in members["options"]["anyOf"] if kind.get("type") == "array")
        description = members["options"]["description"]
        members["options"] = {**options, "minItems": variant.options, "description": description}
        schema["required"] = [*schema["required"], "options"]
    return schema
