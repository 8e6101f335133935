"""Texts with runs: parts of a text that are bold, italic, underlined or links. Specification 2.16.

No markup is read from a string.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import AfterValidator, Discriminator, Field, Tag, ValidationInfo
from pydantic_core import PydanticCustomError

from domain.texts.blank import is_blank
from layout.schema.part import BLANK, FILLED, MAX_TEXT, HeadingText, ParagraphText, Part, Text

MAX_RUNS = 200
"""Maximum runs of a text."""

_MAX_LINK = 2_048
_TEXT, _RUNS, _RUN, _REFERENCE = "{text}", "{runs}", "{run}", "{reference}"
UNION_TAGS = frozenset({_TEXT, _RUNS, _RUN, _REFERENCE})
"""Steps in the locations of errors that are no members of the JSON."""

_LINK = re.compile(r"https://[^\s/?#@\\]+(?:[/?#]\S*)?|mailto:[^\s@?:/]+@[^\s@]+", re.IGNORECASE)
_NEVER = re.compile('[\x00-\x20\x7f<>"“”„«»‹›{}\\\\^`|\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]')


def _address(link: str) -> str:
    if _LINK.fullmatch(link) is None or _NEVER.search(link):
        raise PydanticCustomError(
            "link",
            "Write an address that begins with https:// or mailto:, without spaces, quotation marks, braces and "
            "credentials, as in https://example.com/terms.",
        )
    return link


def _not_empty_unless_filled(text: str, info: ValidationInfo) -> str:
    if not text and info.context != FILLED:
        raise PydanticCustomError("empty_run", "Write at least 1 character, or take this run out.")
    return text


class Run(Part):
    """A part of a text. Runs follow each other without a space between them."""

    text: Annotated[
        str,
        Field(max_length=MAX_TEXT, json_schema_extra={"minLength": 1}),
        AfterValidator(_not_empty_unless_filled),
    ] = Field(description="The characters of the run, spaces included.", examples=["the deposit"])
    bold: bool = Field(default=False, description="Bold type.")
    italic: bool = Field(default=False, description="Italic type.")
    underline: bool = Field(default=False, description="A line under the run.")
    link: Annotated[str, Field(max_length=_MAX_LINK), AfterValidator(_address)] | None = Field(
        default=None,
        description="Address that the run links to, `https://` or `mailto:`.",
        examples=["https://example.com/terms"],
    )


ClauseId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$", max_length=100)]


class Reference(Part):
    """A run that prints the number of a block, and links to it."""

    ref: ClauseId = Field(description="`id` of a heading or paragraph that has a number.", examples=["rent"])


def _kind_of_run(run: object) -> str:
    is_reference = isinstance(run, Reference) or (isinstance(run, dict) and "ref" in run)
    return _REFERENCE if is_reference else _RUN


AnyRun = Annotated[Annotated[Run, Tag(_RUN)] | Annotated[Reference, Tag(_REFERENCE)], Discriminator(_kind_of_run)]
Runs = tuple[AnyRun, ...]
Content = str | Runs
"""A text: a string, or runs."""


def texts_in(content: Content, path: str) -> Iterator[tuple[str, str]]:
    """Yields the strings of `content`, each with its JSON pointer; `path` is that of `content`."""
    if isinstance(content, str):
        yield path, content
    else:
        yield from ((f"{path}/{at}/text", run.text) for at, run in enumerate(content) if isinstance(run, Run))


def references_in(content: Content, path: str) -> Iterator[tuple[str, str]]:
    """Yields the ids that `content` refers to, each with its JSON pointer; `path` is that of `content`."""
    if not isinstance(content, str):
        yield from ((f"{path}/{at}/ref", run.ref) for at, run in enumerate(content) if isinstance(run, Reference))


def joined(content: Content) -> str:
    """Returns the text without the forms of its runs and without references."""
    return content if isinstance(content, str) else "".join(run.text for run in content if isinstance(run, Run))


def _kind(content: object) -> str:
    return _RUNS if isinstance(content, list | tuple) else _TEXT


def _content(text: Any, longest: int, *, may_be_filled: bool = False) -> Any:  # noqa: ANN401  # types of members
    """Returns the type of a member that is a string of the type `text`, or runs of at most `longest` characters."""

    def check(runs: Runs, info: ValidationInfo) -> Runs:
        written = joined(runs)
        if len(written) > longest:
            message = "Write at most {longest} characters in all runs together."
            raise PydanticCustomError("runs_too_long", message, {"longest": longest})
        is_empty = is_blank(written) and all(isinstance(run, Run) for run in runs)
        if is_empty and not (may_be_filled and info.context == FILLED):
            raise PydanticCustomError("blank", BLANK)
        return runs

    runs = Annotated[Runs, Field(min_length=1, max_length=MAX_RUNS), AfterValidator(check)]
    return Annotated[Annotated[text, Tag(_TEXT)] | Annotated[runs, Tag(_RUNS)], Discriminator(_kind)]


HeadingContent = _content(HeadingText, 500)
ParagraphContent = _content(ParagraphText, MAX_TEXT, may_be_filled=True)
ItemContent = _content(Text, MAX_TEXT)
