"""Generates the reference of the settings, in Markdown: names, meanings, types and defaults."""

import json
from collections.abc import Iterator
from enum import StrEnum
from types import NoneType
from typing import Any, get_args

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from config.loader import FILE_SUFFIX
from settings import Settings

_OPENING = f"""# Settings

Made of `settings.py` by `undersign settings`; `make settings` writes it anew.

- Every process reads them from its environment. `NAME{FILE_SUFFIX}` in place of `NAME` names a file whose content is
  the value (one line end after it does not count), for secrets that are mounted. A relative path is as seen from where
  the process was started.
- A variable that begins with `UNDERSIGN_` and is no setting, a value that makes no sense or is empty (only lists may
  be), and settings that contradict each other stop the start, told at once, a line each. No line, log or traceback
  repeats a value.
- **Production** is what has `UNDERSIGN_ENVIRONMENT=production`, or a public URL that leads to more than its own
  machine. There API and worker do not start with a public URL that is not https, without a mail server, with one on
  another machine that is not encrypted, with mails from `undersign@localhost`, with private callbacks, with an outside
  issuer by plain http, with trusted proxies that are wider than any network of one's own (a prefix shorter than /8, or
  /7 of IPv6), with a payload key that is not random, or with a password that is shorter than 8 characters, the same as
  its user, or among those that are tried first. Whatever signs or encrypts inside the service has no default: it is
  made at the first start, at random, in `keys/` of the data directory. One machine with SQLite and a folder of
  documents may be production; `undersign doctor` notes what that means.
- `undersign dev` is for development, unless `UNDERSIGN_ENVIRONMENT` says otherwise.
- What Temporal's own configuration says (`TEMPORAL_...`, its file with profiles) counts where nothing is said here.

| Variable | Meaning | Values | Default |
|---|---|---|---|
"""

_KINDS = {bool: "`true`, `false`", int: "number", str: "text"}


def reference() -> str:
    """Returns the content of `docs/settings.md`."""
    return _OPENING + "".join(_row(name, field) for name, field in Settings.model_fields.items())


def _row(name: str, field: FieldInfo) -> str:
    meaning = " ".join((field.description or "").split()).replace("|", "\\|")
    values, default = ", ".join(_values(field)), _default(field)
    return f"| `UNDERSIGN_{name.upper()}` | {meaning} | {values} | {default} |\n"


def _default(field: FieldInfo) -> str:
    if field.default is None or field.default is PydanticUndefined or str(field.default) == "":
        return "none"
    value = json.dumps(field.default) if isinstance(field.default, bool) else str(field.default)
    return f"`{value.rstrip('/')}`"


def _values(field: FieldInfo) -> Iterator[str]:
    """Yields the types of the value, and the limits of numbers."""
    for kind in _kinds(field.annotation):
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            yield from (f"`{member.value}`" for member in kind)
        else:
            yield _KINDS.get(kind, _name(kind))
    limits = [f"{bound} {value}" for bound, value in _limits(field)]
    if limits:
        yield " ".join(limits)


def _kinds(annotation: Any) -> Iterator[Any]:  # noqa: ANN401  # an annotation has any type
    members = [member for member in get_args(annotation) if member is not NoneType] or [annotation]
    for member in members:
        # The first argument of `Annotated` is the type.
        yield get_args(member)[0] if hasattr(member, "__metadata__") else member


def _name(kind: Any) -> str:  # noqa: ANN401  # an annotation has any type
    names = {"Path": "path", "SecretStr": "secret text", "AnyHttpUrl": "URL", "EmailStr": "mail address"}
    return names.get(getattr(kind, "__name__", ""), "text")


def _limits(field: FieldInfo) -> Iterator[tuple[str, Any]]:
    constraints = [*field.metadata, *(d for member in get_args(field.annotation) for d in _constraints(member))]
    for constraint in constraints:
        for bound, word in (("ge", "from"), ("le", "to")):
            if hasattr(constraint, bound):
                yield word, getattr(constraint, bound)


def _constraints(member: Any) -> Iterator[Any]:  # noqa: ANN401  # an annotation has any type
    for constraint in getattr(member, "__metadata__", ()):
        yield from constraint.metadata if isinstance(constraint, FieldInfo) else (constraint,)
