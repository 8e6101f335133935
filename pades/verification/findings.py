"""Findings about signatures, as sentences for the report."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from asn1crypto import x509

from domain.audit.verification_report import Check, Finding, Outcome
from domain.seal.seal import SealLevel, Statement
from domain.shared.times import rfc3339
from pades.parse_errors import PARSE_ERRORS
from pades.signatures import is_of_this_file
from pades.verification.signature_validation import ValidationResult
from pades.verification.signed_ranges import Signature

_LEVELS = {
    SealLevel.B_B: "it shows every change for as long as its certificate is valid",
    SealLevel.B_T: "a timestamp proves when it was made, so it outlives its certificate",
    SealLevel.B_LT: "it has a timestamp, and the file holds all data that is needed to check it offline",
    SealLevel.B_LTA: "the file holds all data that is needed to check it, under a timestamp that can be renewed",
}
_UNTIDY = (
    "The bytes of the seal itself were changed: they hold {riders}. The content that it covers is unchanged, but the "
    "file was edited."
)
_OTHER_TIME = "The timestamp in the seal was changed: it is wrong, as it is of another signature."
_NO_TIME_YET = " It was to have a timestamp, which was removed or has not been added yet."
_UNCHECKED = "There is a signature of others as well, which cannot be checked. It says nothing about the seal."
_ODD_STORE = "The PDF has validation data of others, part of which cannot be read. It says nothing about the seal."
_NOTHING_STATED = (
    "The seal does not state what it seals. It was made with a key of the service, but not by its sealing procedure."
)
_SHOWN_OTHERWISE = "PDF readers show another text for the seal than the one that it states."


def finding(check: Check, outcome: Outcome, text: str) -> Finding:
    return Finding(check=check, outcome=outcome, text=text)


def seal_findings(
    signature: Signature, result: ValidationResult, disallowed: str | None, *, riders: Sequence[str]
) -> Iterator[Finding]:
    """Yields the findings about the seal. `disallowed` describes a change after the seal that is not permitted.

    `riders` are bytes in the place of the seal that belong to no seal.
    """
    yield _integrity(result, riders)
    yield _changes(signature, result, disallowed)
    yield _authority(result)
    if result.is_sound:
        yield _time(result)


def level_findings(level: SealLevel | None) -> Iterator[Finding]:
    """Yields the PAdES level of a trusted seal."""
    if level is not None:
        text = f"The seal reaches level {level.value} of PAdES: {_LEVELS[level]}."
        yield finding(Check.LEVEL, Outcome.HOLDS, text)


def statement_findings(
    signature: Signature, result: ValidationResult, statement: Statement | None
) -> Iterator[Finding]:
    """Compares the statement of a trusted seal with the reason that PDF readers show."""
    if not (result.has_trusted_certificate and result.is_sound):
        return
    if statement is None:
        yield finding(Check.STATEMENT, Outcome.FAILS, _NOTHING_STATED)
    elif statement.text != signature.reason:
        yield finding(Check.STATEMENT, Outcome.FAILS, f"{_SHOWN_OTHERWISE} The seal says: {statement.text}")
    else:
        yield finding(Check.STATEMENT, Outcome.HOLDS, f"The seal says: {statement.text}")


def _integrity(result: ValidationResult, riders: Sequence[str]) -> Finding:
    if not result.is_sound:
        text = "The seal is broken: the content that it covers was changed."
        return finding(Check.SEAL, Outcome.FAILS, text)
    if result.has_trusted_certificate and result.is_timestamp_wrong:
        return finding(Check.SEAL, Outcome.FAILS, _OTHER_TIME)
    if result.has_trusted_certificate and riders:
        return finding(Check.SEAL, Outcome.FAILS, _UNTIDY.format(riders=", ".join(riders)))
    return finding(Check.SEAL, Outcome.HOLDS, "The seal is valid: every byte that it covers is unchanged.")


def _changes(signature: Signature, result: ValidationResult, disallowed: str | None) -> Finding:
    outcome, added = Outcome.FAILS, f"{signature.added_size} bytes were added after the seal"
    if not signature.covers_its_revision:
        text = "The seal does not cover the whole of what it was put on: part of the file is not protected."
    elif not signature.added_size:
        outcome, text = Outcome.HOLDS, "It covers the whole file. Nothing was added after it."
    elif disallowed is not None:
        text = f"{added}, and not only validation data: {disallowed}."
    elif not result.are_timestamps_valid:
        text = f"{added}, with a timestamp that does not hold."
    else:
        added = f"{signature.added_size} bytes were added after it, which hold only validation data."
        outcome, text = Outcome.HOLDS, f"It covers the whole file as it was sealed. {added}"
    return finding(Check.CHANGES, outcome, text)


def _authority(result: ValidationResult) -> Finding:
    name, issuer = common_name(result.certificate.subject), common_name(result.certificate.issuer)
    outcome = Outcome.FAILS
    if not result.is_correctly_signed:
        text = f"It names “{name}”, but was not made with that key, so its author is unknown."
    elif not result.is_intact:
        outcome = Outcome.OPEN
        text = f"The seal that is broken was made by “{name}”, whose certificate names “{issuer}” as its issuer."
    elif result.has_trusted_certificate:
        outcome, text = Outcome.HOLDS, f"It was sealed by “{name}”, whose certificate is trusted here."
    else:
        text = (
            f"It calls itself a seal of “{name}”, but that certificate is not trusted here. Names can be made up, and "
            "its issuer may issue such certificates to anyone."
        )
    return finding(Check.AUTHORITY, outcome, text)


def _time(result: ValidationResult) -> Finding:
    validity = result.certificate["tbs_certificate"]["validity"]
    ends: datetime = validity["not_after"].native
    claimed = f" The seal itself states that it was made at {_at(result.claimed_at)}." if result.claimed_at else ""
    if result.is_revoked:
        text = "The certificate of the seal was revoked, and nothing proves that the seal was made before."
        return finding(Check.TIME, Outcome.FAILS, text + claimed)
    if result.proven_at is not None:
        text = f"A timestamp proves that the seal existed at {_at(result.proven_at)}."
        if result.has_trusted_certificate and not result.is_trusted:
            text += " Its certificate was not valid then."
            return finding(Check.TIME, Outcome.FAILS, text)
        return finding(Check.TIME, Outcome.HOLDS, text)
    strange = " Its timestamp is of an authority that is not trusted here." if result.has_untrusted_timestamp else ""
    if result.lacks_timestamp:
        strange = _NO_TIME_YET
    if result.has_trusted_certificate and not result.is_trusted:
        text = (
            f"The certificate of the seal is not valid now (it ends at {_at(ends)}), and no timestamp proves that the"
        )
        return finding(Check.TIME, Outcome.FAILS, f"{text} seal is older.{strange}{claimed}")
    text = f"No timestamp proves when it was sealed.{strange}{claimed} Its certificate is valid until {_at(ends)}."
    return finding(Check.TIME, Outcome.OPEN, text)


def earlier_signature_finding(signature: Signature) -> Finding:
    """Returns the finding about another signature, such as one that an uploaded PDF already had."""
    try:
        text = f"There is a signature of “{common_name(signature.embedded.signer_cert.subject)}” as well"
        holds = is_of_this_file(signature.embedded) and signature.allows_additions
    except PARSE_ERRORS:
        return finding(Check.EARLIER, Outcome.OPEN, _UNCHECKED)
    text += ". It is valid; its signer was not verified." if holds else ", which is not valid."
    return finding(Check.EARLIER, Outcome.OPEN, text)


def unreadable_findings(unreadable: int, signature: Signature) -> Iterator[Finding]:
    """Yields findings about signatures and validation data that were in the PDF before `signature`, and are odd."""
    for _ in range(unreadable):
        yield finding(Check.EARLIER, Outcome.OPEN, _UNCHECKED)
    if not signature.is_store_readable:
        yield finding(Check.EARLIER, Outcome.OPEN, _ODD_STORE)


def common_name(name: x509.Name) -> str:
    """Returns the common name of a distinguished name, or the whole name if it has none."""
    common = name.native.get("common_name", name.human_friendly)
    return str(common if isinstance(common, str) else common[0])


def _at(moment: datetime) -> str:
    return rfc3339(moment).replace("T", " ").removesuffix("Z").partition(".")[0] + " UTC"
