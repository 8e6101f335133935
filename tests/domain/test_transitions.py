"""The state machine as two tables: every act in every status of the session, and of a recipient.

A cell holds the status after the act (lower case) or the error (upper case).
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import pytest

from domain.session.edits import remind_recipient
from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared import errors
from tests.builders import NOON, audit, submission
from tests.domain.situations import (
    ACTS,
    ADA,
    GRACE,
    LATE,
    SITUATIONS,
    Act,
    archived,
    declined,
    expired,
    half_signed,
    sent,
)

S, R = SessionStatus, RecipientStatus
ServiceError = type[errors.SigningError]

ERRORS: dict[str, ServiceError] = {
    "AA": errors.AlreadyArchived, "AS": errors.AlreadySigned, "DU": errors.NotDue, "NA": errors.SessionNotActive,
    "NC": errors.SessionNotCompleted, "ND": errors.NotADraft, "NF": errors.SessionNotFound, "NR": errors.NotArchived,
    "NT": errors.NotYourTurn, "RN": errors.RecipientNotActive, "TO": errors.TooOften,
}  # fmt: skip
SESSION_STATUSES = dict(zip(["dr", "pe", "in", "co", "cg", "de", "ex", "ca"], SessionStatus, strict=True))
RECIPIENT_STATUSES = dict(zip(["wa", "pe", "vi", "co", "de", "ex", "ca"], RecipientStatus, strict=True))

# columns: `SITUATIONS`, which are each status, archived from each status, and erased
SESSIONS = """
send                           pe ND ND ND ND ND ND ND ND ND ND ND ND ND NF
invite ada                     NA pe RN NA NA NA NA NA NA NA NA NA NA NA NF
invite grace                   NA RN in NA NA NA NA NA NA NA NA NA NA NA NF
remind ada                     NA TO RN NA NA NA NA NA NA NA NA NA NA NA NF
remind grace                   NA RN TO NA NA NA NA NA NA NA NA NA NA NA NF
correct ada                    NA pe RN NA NA NA NA NA NA NA NA NA NA NA NF
correct grace                  NA pe in NA NA NA NA NA NA NA NA NA NA NA NF
edit                           dr ND ND ND ND ND ND ND ND ND ND ND ND ND NF
extend                         NA pe in NA NA NA NA NA NA NA NA NA NA NA NF
ada views                      NA pe AS AS AS NA NA NA NA AS AS AS NA NA NF
grace views                    NA NT in AS AS NA NA NA NA NA AS AS NA NA NF
ada signs                      NA in AS AS AS NA NA NA NA AS AS AS NA NA NF
grace signs                    NA NT co AS AS NA NA NA NA NA AS AS NA NA NF
ada declines                   NA de AS AS AS NA NA NA NA AS AS AS NA NA NF
grace declines                 NA NT de AS AS NA NA NA NA NA AS AS NA NA NF
a week passes                  DU pe in DU DU DU DU DU DU DU DU DU DU DU NF
the expiry date passes         DU ex ex DU DU DU DU DU DU DU DU DU DU DU NF
the signed PDF is stored       DU DU DU cg DU DU DU DU DU DU ca DU DU DU NF
the certificate is handed out  NC NC NC co cg NC NC NC NC NC NC NC NC NC NF
archive                        ca ca ca ca ca ca ca AA AA AA AA AA AA AA NF
restore                        NR NR NR NR NR NR NR dr pe in co cg de ex NF
erase                          dr pe in co cg de ex ca ca ca ca ca ca ca NF
"""


def cells(table: str, columns: Iterable[str], rows: Iterable[str]) -> list[Any]:
    """The column, row and content of each cell; the table has exactly these rows and columns, in their order."""
    found = []
    for line, row in zip(table.strip().splitlines(), rows, strict=True):
        assert line.startswith(f"{row} ")
        for column, cell in zip(columns, line.removeprefix(row).split(), strict=True):
            found.append(pytest.param(column, row, cell, id=f"{row}, {column}"))
    return found


@pytest.mark.parametrize(("situation", "act", "outcome"), cells(SESSIONS, SITUATIONS, ACTS))
def test_every_act_in_every_status_of_the_session(situation: str, act: str, outcome: str) -> None:
    session = SITUATIONS[situation]()
    if outcome in ERRORS:
        assert refused(ACTS[act], session) is ERRORS[outcome]
    else:
        step = ACTS[act](session)
        assert step.session.status is SESSION_STATUSES[outcome]
        assert step.session.is_erased == (act == "erase")


def refused(act: Act, session: Session) -> ServiceError:
    """The exact error with which `session` refuses `act`."""
    with pytest.raises(errors.SigningError) as error:
        act(session)
    return error.type


def test_the_table_leaves_no_status_out() -> None:
    assert {session().status for session in SITUATIONS.values()} == set(SessionStatus)
    archivable = {f"archived {status.value}" for status in SessionStatus if status is not S.CANCELLED}
    assert archivable <= SITUATIONS.keys()
    assert {session().recipient(ADA).status for session in ADAS.values()} == set(RecipientStatus)


# Ada in each status that a recipient can have, and what each act makes of her.
ADAS: dict[str, Callable[[], Session]] = {
    "waiting in a draft": SITUATIONS["draft"],
    "pending": sent,
    "viewed": lambda: sent().view(ADA, audit()).session,
    "completed": half_signed,
    "declined": declined,
    "expired": expired,
    "cancelled while waiting": lambda: archived(SITUATIONS["draft"]()),
    "cancelled while pending": lambda: archived(sent()),
    "cancelled while viewed": lambda: archived(sent().view(ADA, audit()).session),
    "completed and archived": lambda: archived(half_signed()),
    "declined and archived": lambda: archived(declined()),
    "expired and archived": lambda: archived(expired()),
}
ADAS_ACTS: dict[str, Act] = {
    "is invited": ACTS["invite ada"],
    "is reminded now": lambda session: remind_recipient(session.with_delivery(ADA, 1), ADA, audit()),
    "is corrected": ACTS["correct ada"],
    "views": ACTS["ada views"],
    "signs": ACTS["ada signs"],
    "declines": ACTS["ada declines"],
    "is reminded": lambda session: session.with_delivery(ADA, 1).remind(audit(NOON + timedelta(days=7))),
    "is late": lambda session: session.expire(audit(LATE)),
    "sees it archived": ACTS["archive"],
    "sees it restored": ACTS["restore"],
}

# columns: `ADAS`
RECIPIENTS = """
is invited         NA pe vi RN NA NA NA NA NA NA NA NA
is reminded now    NA pe vi RN NA NA NA NA NA NA NA NA
is corrected       NA pe pe RN NA NA NA NA NA NA NA NA
views              NA vi vi AS NA NA NA NA NA AS NA NA
signs              NA co co AS NA NA NA NA NA AS NA NA
declines           NA de de AS NA NA NA NA NA AS NA NA
is reminded        DU pe vi co DU DU DU DU DU DU DU DU
is late            DU ex ex co DU DU DU DU DU DU DU DU
sees it archived   ca ca ca co de ex AA AA AA AA AA AA
sees it restored   NR NR NR NR NR NR wa pe vi co de ex
"""


@pytest.mark.parametrize(("situation", "act", "outcome"), cells(RECIPIENTS, ADAS, ADAS_ACTS))
def test_every_act_in_every_status_of_a_recipient(situation: str, act: str, outcome: str) -> None:
    session = ADAS[situation]()
    if outcome in ERRORS:
        assert refused(ADAS_ACTS[act], session) is ERRORS[outcome]
    else:
        assert ADAS_ACTS[act](session).session.recipient(ADA).status is RECIPIENT_STATUSES[outcome]


def test_a_recipient_waits_until_those_before_have_signed() -> None:
    session = sent()
    assert session.recipient(GRACE).status is R.WAITING
    assert refused(ACTS["invite grace"], session) is errors.RecipientNotActive
    for act in ("grace views", "grace signs", "grace declines"):
        assert refused(ACTS[act], session) is errors.NotYourTurn
    reminded = session.with_delivery(ADA, 1).remind(audit(NOON + timedelta(days=7))).session
    assert reminded.recipient(GRACE).reminders == 0
    assert ACTS["archive"](session).session.recipient(GRACE).status is R.CANCELLED
    assert session.sign(ADA, submission("ada"), audit()).session.recipient(GRACE).status is R.PENDING


def test_a_signed_pdf_is_stored_once() -> None:
    generated = SITUATIONS["completedAndGenerated"]()
    assert refused(ACTS["the signed PDF is stored"], generated) is errors.NotDue
