"""Issues and warnings of a block document that is well formed. Specification 7.3."""

from dataclasses import dataclass
from enum import StrEnum


class IssueKind(StrEnum):
    """The kind of an issue. All issues of a document are reported at once."""

    TITLE_TOO_LONG = "title-too-long"  # a title that does not fit on one line of the header band
    OUT_OF_BOUNDS = "out-of-bounds"  # content that fits on no page, or a footer label that does not fit on its line
    ZONE_OUT_OF_BOUNDS = "zone-out-of-bounds"  # an input or signature that fits on no page
    UNKNOWN_RECIPIENT = "unknown-recipient"  # a recipient key that the request does not declare
    NOT_A_SIGNER = "not-a-signer"  # the key of a recipient who signs nothing
    DUPLICATE_FIELD_NAME = "duplicate-field-name"  # two inputs that would store their values under one name
    UNKNOWN_IMAGE = "unknown-image"  # a fileId that names no image of the organisation
    IMAGE_TOO_TALL = "image-too-tall"  # an image that is taller than a page at its width
    TOKENS_IN_SESSION = "tokens-in-session"  # a {{{token}}} in a final document
    TOO_MANY_MARKS = "too-many-marks"  # a letter with more combining marks than any orthography has
    TOO_MANY_PAGES = "too-many-pages"  # more pages than a document may have
    UNDECLARED_VARIABLE = "undeclared-variable"  # a {{{token}}} in a template for an undeclared variable


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue: its kind, where it is, and how to fix it."""

    kind: IssueKind
    page: int  # within the document, from 1
    message: str  # what is wrong and what to do, in a sentence
    snippet: str  # the offending text, shortened
    path: str  # JSON pointer within the document, such as `/blocks/3/text`


class WarningKind(StrEnum):
    LOW_CONTRAST = "low-contrast"  # a colour of the theme that is hard to read where it is used
    UNPRINTABLE_CHARACTERS = "unprintable-characters"  # characters that no font has; sessions reject them
    NO_SIGNATURE_BLOCK = "no-signature-block"  # a recipient without a signature block
    HEADING_ALONE = "heading-alone"  # a heading whose content is on the next page, as no page holds both
    MARKUP = "markup"  # a variable in other braces, HTML or Markdown, which is printed as it is
    SECOND_SIGNATURE = "second-signature"  # another signature block of the same recipient


@dataclass(frozen=True, slots=True)
class DocumentWarning:
    """A warning, which never prevents sending, with its JSON pointer."""

    kind: WarningKind
    message: str
    path: str
