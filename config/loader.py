"""Reads settings from the environment and from files that it names, and tells all that is wrong with them at once.

No line repeats a value: it may be a password.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from pydantic_settings import BaseSettings

from domain.shared.errors import ConfigError

IN_A_FILE = "_FILE"
"""What follows the name of a setting whose value is the content of a file, such as a mounted secret."""

OF_PROGRAMS = frozenset({"UNDERSIGN_URL", "UNDERSIGN_TOKEN", "UNDERSIGN_CLIENT_ID", "UNDERSIGN_CLIENT_SECRET"})
"""What programs that call the service read, such as `undersign mcp`: no settings, and no mistake where both run."""

S = TypeVar("S", bound=BaseSettings)


class _MayBeEmpty:
    """Stands in the metadata of the fields for which nothing is a value: lists that may hold nobody."""


MAY_BE_EMPTY = _MayBeEmpty()


def read(kind: type[S], environment: Mapping[str, str]) -> S:
    """The settings.

    Raises:
        ConfigError: with a line for each variable that is unknown, given twice, unreadable or makes no sense.
    """
    prefix = kind.model_config.get("env_prefix", "")
    names = {f"{prefix}{name}".upper(): name for name in kind.model_fields}
    ours = {name.upper(): value for name, value in environment.items() if name.upper().startswith(prefix)}
    given = {name: ours[name] for name in ours if name.removesuffix(IN_A_FILE) not in OF_PROGRAMS - names.keys()}
    wrong: list[str] = []
    values: dict[str, str] = {}
    for variable, value in sorted(given.items()):
        own = variable.removesuffix(IN_A_FILE)
        name = names.get(variable) or names.get(own)
        if name is None:
            wrong.append(_unknown(variable, names))
            continue
        if variable not in names and own in given:
            wrong.append(f"{own} and {variable} are both set; keep one of them.")
            continue
        try:
            text = value if variable in names else _content(value)
        except _NotRead as reason:
            wrong.append(f"{variable}: {reason}")
            continue
        if text.strip() or MAY_BE_EMPTY in kind.model_fields[name].metadata:
            values[name] = text
        else:
            wrong.append(f"{variable} is set and holds nothing; give it a value, or do not set it at all.")
    try:
        settings = _validate(kind, values)
    except ValidationError as error:
        raise ConfigError(*wrong, *_lines(error, prefix)) from None  # it would quote the values
    if wrong:
        raise ConfigError(*wrong)
    return settings


class _NotRead(Exception):
    """What a variable names has no content. The message says why, and what to do."""


def _content(file: str) -> str:
    if not file.strip():
        raise _NotRead("it is set and names no file; name one, or do not set it at all.")
    try:
        return Path(file).read_text(encoding="utf-8").removesuffix("\n").removesuffix("\r")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is no text"
        raise _NotRead(f"the file cannot be read ({reason}). Let this process read it.") from error


def _validate(kind: type[S], values: Mapping[str, str]) -> S:
    """The settings of those values alone: what the environment says has been read."""
    return kind(_env_prefix="\0", **values)  # type: ignore[arg-type]  # texts, as the environment gives them


def _unknown(variable: str, names: Iterable[str]) -> str:
    close = get_close_matches(variable, list(names), n=1)
    return f"{variable} is no setting; {f'{close[0]} is meant, or ' if close else ''}remove it. See docs/settings.md."


def _lines(error: ValidationError, prefix: str) -> Iterable[str]:
    for issue in error.errors(include_url=False, include_input=False, include_context=False):
        what = issue["msg"].removeprefix("Value error, ")
        name = f"{prefix}{str(issue['loc'][0]).upper()}" if issue["loc"] else ""
        yield what if what.startswith(name) else f"{name}: {what}"
