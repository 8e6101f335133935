"""Generates the reference of the settings, in Markdown: names, meanings, types and defaults."""

import json
from collections.abc import Mapping
from typing import Any

from config.loader import FILE_SUFFIX
from config.settings import Settings

_OPENING = f"""# Settings

`make settings` writes this page from `config/settings.py` (`undersign settings`).

- Every process reads its settings from environment variables. `NAME{FILE_SUFFIX}` instead of `NAME` names a file whose
  content is the value, such as a mounted secret; one newline at its end is ignored. Relative paths start at the working
  directory.
- A process does not start with an unknown variable that begins with `UNDERSIGN_`, with an invalid or empty value (only
  lists may be empty), or with settings that contradict each other. It reports all of them at once, one per line. No
  line, log or traceback repeats a value.
- **Production** is an installation with `UNDERSIGN_ENVIRONMENT=production`, or with a public URL that is not an address
  of its own machine. There API and worker refuse to start with: a public URL that is not https; no mail server, or one
  on another machine without encryption; mails from `undersign@localhost`; private callbacks; an external issuer or
  OpenID provider over plain http; trusted proxies in networks larger than /16 (IPv6: /48); a payload key that is not
  random; a password that is common, equal to its user, or shorter than 8 characters. The keys that sign or encrypt
  within the service have no defaults: the first start generates them in `keys/` of the data directory. One machine with
  SQLite and documents in a folder may be production; `undersign doctor` notes what that means.
- `undersign dev` is for development, unless `UNDERSIGN_ENVIRONMENT` says otherwise.
- Temporal's own configuration (`TEMPORAL_...`, its file with profiles) applies where no setting is given.

| Variable | Meaning | Values | Default |
|---|---|---|---|
"""

_KINDS = {"path": "path", "password": "secret text", "uri": "URL", "email": "mail address", "integer": "number"}


def reference() -> str:
    """Returns the content of `docs/settings.md`."""
    schema = Settings.model_json_schema()
    return _OPENING + "".join(_row(name, schema["properties"][name], schema["$defs"]) for name in Settings.model_fields)


def _row(name: str, member: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    kind = next(kind for kind in member.get("anyOf", [member]) if kind.get("type") != "null")
    values = _values(definitions[kind["$ref"].rpartition("/")[2]] if "$ref" in kind else kind)
    meaning = " ".join(member["description"].split()).replace("|", "\\|")
    default = member["default"]
    text = default.rstrip("/") if isinstance(default, str) else json.dumps(default)
    return (
        f"| `UNDERSIGN_{name.upper()}` | {meaning} | {values} | {'none' if default in {None, ''} else f'`{text}`'} |\n"
    )


def _values(kind: Mapping[str, Any]) -> str:
    if "enum" in kind or kind["type"] == "boolean":
        return ", ".join(f"`{value}`" for value in kind.get("enum", ("true", "false")))
    limits = f", from {kind['minimum']} to {kind['maximum']}" if "minimum" in kind else ""
    return _KINDS.get(kind.get("format", kind["type"]), "text") + limits
