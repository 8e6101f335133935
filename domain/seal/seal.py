"""Seals: their PAdES levels (ETSI EN 319 142-1, 6), and their statements about a PDF, which are signed with it.

PDF readers show the text of a statement as the reason of the signature. Names and addresses in it are quoted, so that
no name can imitate a list of signers.
"""

import unicodedata
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

import rfc8785
from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel

from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import FileId, SessionId
from domain.texts.combining_marks import normalized
from domain.texts.described_enum import DescribedEnum

MAX_QUOTED = 254
"""Maximum characters of a name or address: the longest valid mail address."""

NAMELESS = "?"
"""Replaces a name that has no quotable characters."""

_REPLACED = {"\N{RIGHT SINGLE QUOTATION MARK}": "'", "\N{LEFT SINGLE QUOTATION MARK}": "'"}
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Me"})
_BLANK = frozenset({"Zs", "Zl", "Zp", "Ps", "Pe", "Pi", "Pf"})
_QUOTES = frozenset('"<>\N{DOUBLE PRIME}\N{DITTO MARK}\N{MODIFIER LETTER DOUBLE PRIME}')
_BREAKS = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x85")


def quotable(text: str) -> str:
    """Returns `text` without quotes, brackets, line breaks, and invisible or bidirectional control characters.

    Apostrophes stay. The result has 1 to `MAX_QUOTED` characters. Quoting it again changes nothing.
    """
    shown = "".join(_quotable(sign) for sign in normalized("NFC", text))
    begins = next((at for at, sign in enumerate(shown) if unicodedata.category(sign)[0] not in "MZ"), len(shown))
    words = normalized("NFC", " ".join(shown[begins:].split()))  # a mark would attach to the quote before it
    return words[:MAX_QUOTED].strip() or NAMELESS


def _quotable(sign: str) -> str:
    sign = _REPLACED.get(sign, sign)
    category = unicodedata.category(sign)
    if category in _DROPPED and sign not in _BREAKS:
        return ""
    looks = unicodedata.normalize("NFKC", sign)  # resolves fullwidth and styled forms of a character
    is_blank = any(one in _QUOTES or unicodedata.category(one) in _BLANK for one in (sign, *looks))
    return " " if is_blank or sign in _BREAKS else sign


Quoted = Annotated[str, AfterValidator(quotable)]


class Identified(StrEnum):
    """How the address of a signer was verified."""

    LINK = "link"  # by a secret link that was sent to it
    CODE = "code"  # by that link and a one-time code that was sent to it
    PROGRAM = "program"  # by a program or a user of the organisation, who opened the documents
    PROGRAM_AND_CODE = "programAndCode"  # by that program and a one-time code that was sent to the address


class _Stated(FrozenModel):
    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)


class Signer(_Stated):
    """A signer with their verified address."""

    name: Quoted
    email: Quoted
    identified_by: Identified
    signed_at: datetime

    def __str__(self) -> str:
        return f"“{self.name}” <{self.email}> by {self.identified_by} ({self.signed_at:%Y-%m-%d %H:%M:%S} UTC)"


class SignedDocument(_Stated):
    """The statement on a document that recipients signed. `materials_sha256` is the digest of its `Materials`."""

    kind: Literal["signedDocument"] = "signedDocument"
    session_id: SessionId
    file_id: FileId
    materials_sha256: str
    signers: tuple[Signer, ...] = Field(min_length=1)

    @property
    def text(self) -> str:
        signers = ", ".join(map(str, self.signers))
        return f"Signed document {self.file_id} of session {self.session_id}. Signed by {signers}."


class ReferenceDocument(_Stated):
    """The statement on an uploaded PDF for reference, without fields."""

    kind: Literal["referenceDocument"] = "referenceDocument"
    session_id: SessionId
    file_id: FileId
    materials_sha256: str

    @property
    def text(self) -> str:
        return f"Reference document {self.file_id} of session {self.session_id}; no recipient signed it."


class CompletionCertificate(_Stated):
    """The statement on a certificate of completion. `head` is the hash of event `length`, the last one it shows."""

    kind: Literal["completionCertificate"] = "completionCertificate"
    session_id: SessionId
    head: str
    length: int

    @property
    def text(self) -> str:
        return (
            f"Certificate of completion of session {self.session_id}, whose history has {self.length} events and ends "
            f"with {self.head}."
        )


class Sample(_Stated):
    """The statement on a document that tests the seal key."""

    kind: Literal["sample"] = "sample"

    @property
    def text(self) -> str:
        return "Sample document that tests the seal; it belongs to no session."


Statement = SignedDocument | ReferenceDocument | CompletionCertificate | Sample

_STATEMENT: TypeAdapter[Statement] = TypeAdapter(Annotated[Statement, Field(discriminator="kind")])


def write_statement(statement: Statement) -> bytes:
    """Returns canonical JSON (RFC 8785): equal statements give equal bytes."""
    return rfc8785.dumps(statement.model_dump(mode="json", by_alias=True))


def read_statement(written: bytes) -> Statement:
    """Parses a statement. Raises `ValueError`."""
    return _STATEMENT.validate_json(written)


class SealLevel(DescribedEnum):
    """Level of a seal (PAdES baseline), the lowest first. Each level includes the previous ones."""

    B_B = "B-B", "every change is detected while the certificate of the seal is valid"
    B_T = "B-T", "a timestamp proves that the seal existed at its time"
    B_LT = "B-LT", "everything needed for offline validation is included"
    B_LTA = "B-LTA", "a timestamp covers all of that"

    @property
    def rank(self) -> int:
        """The position of the level; 0 is the lowest."""
        return tuple(SealLevel).index(self)

    def is_at_least(self, goal: "SealLevel") -> bool:
        """Returns whether this level is `goal` or higher."""
        return self.rank >= goal.rank


class Seal(FrozenModel):
    """The validated level of a seal, and its target level."""

    level: SealLevel
    goal: SealLevel
