"""The words of the page that checks PDFs."""

from collections.abc import Mapping
from typing import NamedTuple

from domain.audit.verification import Outcome, Verdict


class Saying(NamedTuple):
    """A verdict in a few words, and what it means."""

    title: str
    body: str


class VerifyingTexts:
    """The words in English. Findings have theirs in `domain.audit.verification`, as the command line shows them."""

    verify_title: str = "Is this PDF genuine?"
    verify_intro: str = (
        "Check a signed document or a certificate of completion: whether this service sealed it, when, and whether "
        "anything was changed since."
    )
    verify_choose: str = "Choose PDFs, or drop them here"
    verify_hint: str = (
        "Up to 5 files and 25 MB. A document that is chosen together with its certificate is checked against it."
    )
    verify_check: str = "Check"
    verify_busy: str = "Checking…"
    verify_another: str = "Check another"
    verify_note: str = "The files go to this service only. They are looked at and forgotten; nothing of them is kept."
    verify_no_file: str = "Choose a PDF first."
    verify_too_large: str = "These files are too large: together they may have {most} MB."
    verify_too_much: str = "Checking it takes more time or memory than it may. Nothing can be said about it."

    verify_sealed_by: str = "Sealed by"
    verify_unsigned: str = "No recipient signed it"
    verify_sealed_at: str = "Sealed at"
    verify_claimed: str = "{moment}, as the seal says itself"
    verify_level: str = "Level"
    verify_certificate: str = "What this certificate says"
    verify_organisation: str = "Sent by"
    verify_signed_by: str = "Signed by"
    verify_document: str = "Document"
    verify_findings: str = "What was looked at"
    verify_session: str = "Your session “{session}”"
    verify_chain: str = "Its history is intact"
    verify_chain_broken: str = "Its history is BROKEN: ask who runs this service"

    verdicts: Mapping[Verdict, Saying] = {
        Verdict.GENUINE: Saying("Genuine", "It was sealed by this service, and nothing has been changed since."),
        Verdict.CHANGED: Saying(
            "Changed since it was sealed", "This is not what was sealed. Do not rely on it; ask for the original."
        ),
        Verdict.UNKNOWN_AUTHORITY: Saying(
            "Not sealed by this service",
            "Somebody else has sealed or signed it, and it has not been changed since. Whose seal it is cannot be said "
            "here.",
        ),
        Verdict.UNPROVEN: Saying(
            "Not proven",
            "No change of what was sealed was found, but not all that makes it genuine could be proven. What is "
            "missing stands below.",
        ),
        Verdict.CONTRADICTORY: Saying(
            "Something does not agree", "The seal holds, but not all that was checked agrees. What it is, stands below."
        ),
        Verdict.NOT_SEALED: Saying(
            "Not sealed", "This PDF carries no seal. Nothing says where it comes from, or whether it was changed."
        ),
        Verdict.UNREADABLE: Saying(
            "Not readable",
            "This is no PDF, it is cut off or damaged, or checking it takes too much: nothing can be said about it.",
        ),
    }
    outcomes: Mapping[Outcome, str] = {
        Outcome.HOLDS: "Holds",
        Outcome.FAILS: "Does not hold",
        Outcome.OPEN: "To know",
    }
