"""Changes to the description without which generators of clients fail, or make clients that refuse valid values."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from application.schemas.errors import ErrorRead
from web.asgi.error_handlers import FRAMEWORK_ERRORS, STATUSES

_ERROR_CODE = "ErrorCode"
_EMPTY: tuple[object, ...] = (None, "", [], {})


def make_portable(described: dict[str, Any]) -> None:
    """Changes the schemas and parameters of `described`, in place."""
    schemas = described["components"]["schemas"]
    for schema in schemas.values():
        for node in _nodes(schema):
            _explain_default(node)
    for node in [node for schema in schemas.values() for node in _nodes(schema)]:
        _name_union(node.get("items"), schemas)
    for item in described["paths"].values():
        for operation in item.values():
            operation.setdefault("security", [])
            for parameter in operation.get("parameters", ()):
                parameter["schema"] = _without_null(parameter["schema"])
            _name_form(operation, schemas)
    codes = STATUSES.keys() | {code for code, _ in FRAMEWORK_ERRORS.values()}
    schemas[_ERROR_CODE] = {
        "type": "string",
        "enum": sorted(codes),
        "description": "Error code. Later versions may add codes.",
        "title": _ERROR_CODE,
    }
    # Some generators copy the values of enums, and need these first.
    described["components"]["schemas"] = dict(sorted(schemas.items(), key=lambda item: "enum" not in item[1]))
    schemas[ErrorRead.__name__]["properties"]["error"] = {"$ref": f"#/components/schemas/{_ERROR_CODE}"}


def _name_form(operation: Mapping[str, Any], schemas: dict[str, Any]) -> None:
    """Moves the schema of a form to the other schemas: some generators find the first of two bodies by its name."""
    content = operation.get("requestBody", {}).get("content", {})
    form = content.get("multipart/form-data")
    if form is not None:
        name = f"{operation['operationId'][0].upper()}{operation['operationId'][1:]}Form"
        schemas[name] = {"title": name, "description": "A form with a file.", **form["schema"]}
        form["schema"] = {"$ref": f"#/components/schemas/{name}"}


def _name_union(items: object, schemas: dict[str, Any]) -> None:
    """Moves a union of named schemas that are items to the other schemas: generators test its values by its name."""
    if not isinstance(items, dict) or "oneOf" not in items or "discriminator" in items:
        return
    names = [one.get("$ref", "").rpartition("/")[2] for one in items["oneOf"]]
    if all(names):
        name = "Or".join(names)
        schemas[name] = {"title": name, "description": f"A {' or a '.join(names)}.", "anyOf": items.pop("oneOf")}
        items["$ref"] = f"#/components/schemas/{name}"


def _explain_default(schema: dict[str, Any]) -> None:
    """Moves the default of `schema` into its description.

    Generators take a member with a default as one that is always there, in responses and in requests.
    """
    if "default" not in schema:
        return
    default, text = schema.pop("default"), schema.get("description", "")
    if default not in _EMPTY and "const" not in schema and "default" not in text.lower():
        shown = default if isinstance(default, str) else json.dumps(default)
        schema["description"] = f"{text} Default: `{shown}`.".strip()


def _without_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the schema of a parameter without null, which neither a query nor a header can have."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    others = {n: v for n, v in schema.items() if n != "anyOf" and not (n == "default" and v in _EMPTY)}
    return {**(kinds[0] if len(kinds) == 1 else {}), **others}


def _nodes(node: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401  # any JSON
    """Yields the schemas in `node`, but not its examples."""
    if isinstance(node, dict):
        yield node
        for name, part in node.items():
            if name not in {"default", "examples", "example", "const", "enum"}:
                yield from _nodes([*part.values()] if name == "properties" else part)
    elif isinstance(node, list):
        for part in node:
            yield from _nodes(part)
