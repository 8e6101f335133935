"""What programs depend on in the description: operations, members, types, bounds; no texts and examples."""

from collections.abc import Iterator, Mapping
from typing import Any

Described = Mapping[str, Any]

_TEXTS = {"description", "title", "examples", "example"}
_BESIDE_TYPE = {"type", "items", "anyOf", "oneOf", "enum", "properties", "required", "discriminator"}


def outline(description: Described) -> str:
    """Returns a line for each operation, parameter, body, response, schema and member, in the order of their names."""
    components = description["components"]
    lines: list[str] = []
    for part in ("paths", "webhooks"):
        for path, item in sorted(description[part].items()):
            for method, operation in sorted(item.items()):
                lines += ["", f"{method.upper()} {path} {operation['operationId']} ({', '.join(operation['tags'])})"]
                lines += map("  ".__add__, _operation(operation))
    for kind in ("schemas", "headers", "securitySchemes"):
        lines += ["", kind]
        for name, component in sorted(components[kind].items()):
            lines += map("  ".__add__, _component(name, component))
    return "\n".join(lines).lstrip("\n") + "\n"


def _operation(operation: Described) -> Iterator[str]:
    for way in operation.get("security", ()):
        yield "security " + (
            " and ".join(f"{name} {' '.join(scopes)}".strip() for name, scopes in way.items()) or "none"
        )
    for parameter in sorted(operation.get("parameters", ()), key=lambda p: (p["in"], p["name"])):
        others = {name: value for name, value in parameter.items() if name not in {"in", "name", "schema", *_TEXTS}}
        yield f"{parameter['in']} {parameter['name']}: {type_of({**parameter['schema'], **others})}"
    body = operation.get("requestBody", {})
    for media, content in sorted(body.get("content", {}).items()):
        yield f"body {media}: {type_of(content['schema'])}{'' if body.get('required') else ', optional'}"
    for status, response in sorted(operation["responses"].items()):
        media = [f"{media} {_content(content)}" for media, content in sorted(response.get("content", {}).items())]
        yield f"{status}: {', '.join(media) or 'empty'}; {', '.join(sorted(response.get('headers', ())))}"


def _content(content: Described) -> str:
    """Each error has an example, which has the name of its code."""
    codes = " ".join(code for code in sorted(content.get("examples", ())) if code.isupper())
    return type_of(content.get("schema", {})) + (codes and f" ({codes})")


def _component(name: str, component: Described) -> Iterator[str]:
    members, required = component.get("properties", {}), component.get("required", ())
    yield f"{name}: {type_of(component.get('schema', component))}"
    for member, schema in sorted(members.items()):
        yield f"  {member}{'' if member in required else '?'}: {type_of(schema)}"


def type_of(schema: Described) -> str:
    """Returns the type of a schema with its bounds, in one line."""
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    ways = [type_of(way) for way in (*schema.get("anyOf", ()), *schema.get("oneOf", ()))]
    values = [str(value) for value in schema.get("enum", ())]
    kind = name or " | ".join(ways or values) or str(schema.get("type", "anything"))
    if "items" in schema:
        kind = f"[{type_of(schema['items'])}]"
    if "discriminator" in schema:
        kind += f" by {schema['discriminator']['propertyName']}"
    beside = {key: value for key, value in schema.items() if key not in _BESIDE_TYPE | _TEXTS | {"$ref"}}
    return " ".join([kind, *(f"{key}={_value(value)}" for key, value in sorted(beside.items()))])


def _value(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    is_texts = all(isinstance(text, str) and " " in text for text in value.values())
    return f"({' '.join(sorted(value)) if is_texts else type_of(value)})"
