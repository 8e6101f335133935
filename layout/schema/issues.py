"""Issues and warnings of a block document that is well formed. Specification 7.3."""

from dataclasses import dataclass

from domain.texts.described_enum import DescribedEnum


class IssueKind(DescribedEnum):
    """Kind of an issue of a document."""

    TITLE_TOO_LONG = "title-too-long", "a title needs more than one line"
    OUT_OF_BOUNDS = "out-of-bounds", "content fits on no page, or a footer label does not fit on one line"
    ZONE_OUT_OF_BOUNDS = "zone-out-of-bounds", "a field or a signature block fits on no page"
    UNKNOWN_RECIPIENT = "unknown-recipient", "no recipient of the request has the key"
    NOT_A_SIGNER = "not-a-signer", "the recipient with the key approves or gets a copy, and signs nothing"
    DUPLICATE_FIELD_NAME = "duplicate-field-name", "two fields have the same name"
    UNKNOWN_IMAGE = "unknown-image", "no uploaded image of the organisation has the `fileId`"
    IMAGE_TOO_TALL = "image-too-tall", "an image is taller than a page at its width"
    TOKENS_IN_SESSION = "tokens-in-session", "a `{{{token}}}` stands in the document or a recipient of a session"
    TOO_MANY_MARKS = "too-many-marks", "more than 8 combining marks follow one letter"
    TOO_MANY_CHARACTERS = "too-many-characters", "the texts have more than 5,000 different characters together"
    TOO_MANY_TEXTS = "too-many-texts", "the document has more than 5,000 texts: paragraphs, items, options and labels"
    TOO_MANY_PAGES = "too-many-pages", "the document has more than 2,000 pages"
    INVALID_REFERENCE = "invalid-reference", "a `ref` names no block with a number, or two blocks have the same `id`"
    UNDECLARED_VARIABLE = "undeclared-variable", "a `{{{token}}}` names no variable of the template"


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue: its kind, where it is, and how to fix it."""

    kind: IssueKind
    page: int  # within the document, from 1
    message: str  # what is wrong and what to do, in a sentence
    snippet: str  # the offending text, shortened
    path: str  # JSON pointer within the document, such as `/blocks/3/text`


class WarningKind(DescribedEnum):
    """Kind of a warning about a document."""

    LOW_CONTRAST = "low-contrast", "a colour is hard to read where it is used"
    UNPRINTABLE_CHARACTERS = "unprintable-characters", "characters cannot be printed; sessions refuse them"
    NO_SIGNATURE_BLOCK = "no-signature-block", "no signature block of the document names a recipient of the request"
    HEADING_ALONE = "heading-alone", "a heading and its content are on different pages, because no page holds both"
    NOT_TOGETHER = "not-together", "a block is not kept together or with the next one, because a page is too small"
    MARKUP = "markup", "a text with a variable in other braces, HTML or Markdown, which is printed as it is"
    MISSING_FACE = "missing-face", "a run is bold or italic in a script that has no such type; it is printed without"
    SECOND_SIGNATURE = "second-signature", "a recipient has more than one signature block in the document"


@dataclass(frozen=True, slots=True)
class DocumentWarning:
    """A warning, which never prevents sending, with its JSON pointer."""

    kind: WarningKind
    message: str
    path: str
