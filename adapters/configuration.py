"""Reads settings from the environment and from files that it names, and tells all that is wrong with them at once.

No line repeats a value: it may be a password.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from pydantic_settings import BaseSettings

from domain.configuration import Misconfigured

IN_A_FILE = "_FILE"
"""What follows the name of a setting whose value is the content of a file, such as a mounted secret."""

OF_PROGRAMS = frozenset({"UNDERSIGN_URL", "UNDERSIGN_TOKEN", "UNDERSIGN_CLIENT_ID", "UNDERSIGN_CLIENT_SECRET"})
"""What programs that call the service read, such as `undersign mcp`: no settings, and no mistake where both run."""

S = TypeVar("S", bound=BaseSettings)


def read(kind: type[S], environment: Mapping[str, str]) -> S:
    """The settings.

    Raises:
        Misconfigured: with a line for each variable that is unknown, given twice, unreadable or makes no sense.
    """
    prefix = kind.model_config.get("env_prefix", "")
    names = {f"{prefix}{name}".upper(): name for name in kind.model_fields}
    ours = {name.upper(): value for name, value in environment.items() if name.upper().startswith(prefix)}
    given = {name: ours[name] for name in ours if name.removesuffix(IN_A_FILE) not in OF_PROGRAMS - names.keys()}
    wrong: list[str] = []
    values: dict[str, str] = {}
    for variable, value in sorted(given.items()):
        own = variable.removesuffix(IN_A_FILE)
        if variable in names:
            values[names[variable]] = value
        elif own not in names:
            wrong.append(_unknown(variable, names))
        elif own in given:
            wrong.append(f"{own} and {variable} are both set; keep one of them.")
        else:
            try:
                values[names[own]] = Path(value).read_text(encoding="utf-8").removesuffix("\n").removesuffix("\r")
            except (OSError, UnicodeDecodeError) as error:
                reason = error.strerror if isinstance(error, OSError) else "is no text"
                wrong.append(f"{variable}: the file cannot be read ({reason}). Let this process read it.")
    try:
        settings = _validate(kind, values)
    except ValidationError as error:
        raise Misconfigured(*wrong, *_lines(error, prefix)) from None  # it would quote the values
    if wrong:
        raise Misconfigured(*wrong)
    return settings


def _validate(kind: type[S], values: Mapping[str, str]) -> S:
    """The settings of those values alone: what the environment says has been read."""
    return kind(_env_prefix="\0", **values)  # type: ignore[arg-type]  # texts, as the environment gives them


def _unknown(variable: str, names: Iterable[str]) -> str:
    close = get_close_matches(variable, list(names), n=1)
    return f"{variable} is no setting; {f'{close[0]} is meant, or ' if close else ''}remove it. See docs/settings.md."


def _lines(error: ValidationError, prefix: str) -> Iterable[str]:
    for issue in error.errors(include_url=False, include_input=False, include_context=False):
        what = issue["msg"].removeprefix("Value error, ")
        yield f"{prefix}{str(issue['loc'][0]).upper()}: {what}" if issue["loc"] else what
