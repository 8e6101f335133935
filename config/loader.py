"""Reads settings from environment variables and the files they name, and reports all errors at once.

No error line repeats a value: it may be a password.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from pydantic_settings import BaseSettings

from domain.shared.errors import ConfigError

FILE_SUFFIX = "_FILE"
"""Suffix of a variable that names a file with the value, such as a mounted secret."""

CLIENT_VARIABLES = frozenset(
    {"UNDERSIGN_URL", "UNDERSIGN_TOKEN", "UNDERSIGN_CLIENT_ID", "UNDERSIGN_CLIENT_SECRET"},
)
"""Variables of API clients such as `undersign mcp`. They are not settings, and may be set beside them."""

_SERVICE_LINK = re.compile(r"_SERVICE_(HOST|PORT)(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$")
"""Variables that Kubernetes sets in pods for each Service of their namespace."""

MAY_BE_EMPTY = "may be empty"
"""Marks, in the metadata of a field, a list that may be empty."""

S = TypeVar("S", bound=BaseSettings)


def read(
    model: type[S],
    environment: Mapping[str, str],
    find_conflicts: Callable[[Mapping[str, str]], Iterable[str]] | None = None,
) -> S:
    """Returns the settings from the variables that begin with the `env_prefix` of `model`.

    `find_conflicts` gets the values as texts by field, and returns a line for each conflict between them.

    Raises:
        ConfigError: with a line for each variable that is unknown, set twice, unreadable or invalid.
    """
    prefix = model.model_config.get("env_prefix", "")
    names = {f"{prefix}{name}".upper(): name for name in model.model_fields}
    variables = {
        name.upper(): value
        for name, value in environment.items()
        if name.upper().startswith(prefix)
        and name.upper().removesuffix(FILE_SUFFIX) not in CLIENT_VARIABLES - names.keys()
    }
    values: dict[str, str] = {}
    errors: list[str] = []
    for variable in sorted(variables):
        try:
            name = _field_of(variable, names, variables)
            text = variables[variable] if variable in names else _read_file(variable, variables[variable])
            if not text.strip() and MAY_BE_EMPTY not in model.model_fields[name].metadata:
                raise ValueError(f"{variable} is set but empty. Set a value, or remove the variable.")
            values[name] = text
        except ValueError as error:
            errors.append(str(error))
    conflicts = [] if errors or find_conflicts is None else list(find_conflicts(values))
    try:
        # Without the prefix, the class itself finds no variables: all values are those read above.
        settings = model(_env_prefix="\0", **values)  # type: ignore[arg-type]  # texts, as in the environment
    except ValidationError as error:
        raise ConfigError(*errors, *_lines(error, prefix), *conflicts) from None  # the cause holds values
    if errors or conflicts:
        raise ConfigError(*errors, *conflicts)
    return settings


def _field_of(variable: str, names: Mapping[str, str], variables: Mapping[str, str]) -> str:
    own = variable.removesuffix(FILE_SUFFIX)
    if _SERVICE_LINK.search(variable) or variables[variable].startswith(("tcp://", "udp://")):
        raise ValueError(f"{variable} is set by Kubernetes for a Service: set enableServiceLinks: false in the pod.")
    if own not in names and variable not in names:
        close = get_close_matches(variable, list(names), n=1)
        hint = f"Use {close[0]}, or remove it." if close else "Remove it."
        raise ValueError(f"{variable} is not a setting. {hint} See docs/settings.md.")
    if variable not in names and own in variables:
        raise ValueError(f"{own} and {variable} are both set. Keep one of them.")
    return names.get(variable) or names[own]


def _read_file(variable: str, file: str) -> str:
    if not file.strip():
        raise ValueError(f"{variable} is set but names no file. Name one, or remove the variable.")
    try:
        return Path(file).read_text(encoding="utf-8").removesuffix("\n").removesuffix("\r")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ValueError(
            f"{variable}: the file cannot be read ({reason}). Make it readable for this process."
        ) from error


def _lines(error: ValidationError, prefix: str) -> Iterator[str]:
    for issue in error.errors(include_url=False, include_input=False, include_context=False):
        message = issue["msg"].removeprefix("Value error, ")
        name = f"{prefix}{str(issue['loc'][0]).upper()}" if issue["loc"] else ""
        yield message if message.startswith(name) else f"{name}: {message}"
