"""The state machine as two tables: every act in every status of the session, and of a recipient."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from domain.session.recipients import RecipientStatus
from domain.session.session import Session, SessionStatus
from domain.shared.errors import (
    AlreadyArchived,
    AlreadySigned,
    NotADraft,
    NotArchived,
    NotDue,
    NotYourTurn,
    RecipientNotActive,
    SessionNotActive,
    SessionNotCompleted,
    SessionNotFound,
    SigningError,
)
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
ServiceError = type[SigningError]
Outcome = SessionStatus | ServiceError

_CLOSED: dict[str, Outcome] = {
    "send": NotADraft,
    **dict.fromkeys(("invite ada", "invite grace"), SessionNotActive),
    **dict.fromkeys(("ada views", "ada signs", "ada declines"), SessionNotActive),
    **dict.fromkeys(("grace views", "grace signs", "grace declines"), SessionNotActive),
    **dict.fromkeys(("a week passes", "the expiry date passes", "the signed PDF is stored"), NotDue),
    "the certificate is handed out": SessionNotCompleted,
    "archive": S.CANCELLED,
    "restore": NotArchived,
}
"""What a session that is not open for signing answers, unless its situation says otherwise below."""

_ARCHIVED: dict[str, Outcome] = {**_CLOSED, "archive": AlreadyArchived, "erase": S.CANCELLED}
_ADA_SIGNED: dict[str, Outcome] = dict.fromkeys(("ada views", "ada signs", "ada declines"), AlreadySigned)
_BOTH_SIGNED = {**_ADA_SIGNED, **dict.fromkeys(("grace views", "grace signs", "grace declines"), AlreadySigned)}

# situation: what each act leads to.
SESSIONS: dict[str, dict[str, Outcome]] = {
    "draft": {**_CLOSED, "send": S.PENDING, "erase": S.DRAFT},
    "pending": {
        "send": NotADraft,
        "invite ada": S.PENDING,
        "invite grace": RecipientNotActive,
        "ada views": S.PENDING,
        "grace views": NotYourTurn,
        "ada signs": S.IN_PROGRESS,
        "grace signs": NotYourTurn,
        "ada declines": S.DECLINED,
        "grace declines": NotYourTurn,
        "a week passes": S.PENDING,
        "the expiry date passes": S.EXPIRED,
        "the signed PDF is stored": NotDue,
        "the certificate is handed out": SessionNotCompleted,
        "archive": S.CANCELLED,
        "restore": NotArchived,
        "erase": S.PENDING,
    },
    "inProgress": {
        "send": NotADraft,
        "invite ada": RecipientNotActive,
        "invite grace": S.IN_PROGRESS,
        "ada views": AlreadySigned,
        "grace views": S.IN_PROGRESS,
        "ada signs": AlreadySigned,
        "grace signs": S.COMPLETED,
        "ada declines": AlreadySigned,
        "grace declines": S.DECLINED,
        "a week passes": S.IN_PROGRESS,
        "the expiry date passes": S.EXPIRED,
        "the signed PDF is stored": NotDue,
        "the certificate is handed out": SessionNotCompleted,
        "archive": S.CANCELLED,
        "restore": NotArchived,
        "erase": S.IN_PROGRESS,
    },
    "completed": {
        **_CLOSED,
        **_BOTH_SIGNED,
        "the signed PDF is stored": S.COMPLETED_AND_GENERATED,
        "the certificate is handed out": S.COMPLETED,
        "erase": S.COMPLETED,
    },
    "completedAndGenerated": {
        **_CLOSED,
        **_BOTH_SIGNED,
        "the certificate is handed out": S.COMPLETED_AND_GENERATED,
        "erase": S.COMPLETED_AND_GENERATED,
    },
    "declined": {**_CLOSED, "erase": S.DECLINED},
    "expired": {**_CLOSED, "erase": S.EXPIRED},
    "archived draft": {**_ARCHIVED, "restore": S.DRAFT},
    "archived pending": {**_ARCHIVED, "restore": S.PENDING},
    "archived inProgress": {**_ARCHIVED, **_ADA_SIGNED, "restore": S.IN_PROGRESS},
    "archived completed": {
        **_ARCHIVED,
        **_BOTH_SIGNED,
        "the signed PDF is stored": S.CANCELLED,
        "restore": S.COMPLETED,
    },
    "archived completedAndGenerated": {**_ARCHIVED, **_BOTH_SIGNED, "restore": S.COMPLETED_AND_GENERATED},
    "archived declined": {**_ARCHIVED, "restore": S.DECLINED},
    "archived expired": {**_ARCHIVED, "restore": S.EXPIRED},
    "erased": dict.fromkeys(ACTS, SessionNotFound),
}


@pytest.mark.parametrize(
    ("situation", "act", "outcome"),
    [
        pytest.param(situation, act, outcome, id=f"{act} when {situation}")
        for situation, outcomes in SESSIONS.items()
        for act, outcome in outcomes.items()
    ],
)
def test_every_act_in_every_status_of_the_session(situation: str, act: str, outcome: Outcome) -> None:
    session = SITUATIONS[situation]()
    if isinstance(outcome, SessionStatus):
        step = ACTS[act](session)
        assert step.session.status is outcome
        assert step.session.is_erased == (act == "erase")
    else:
        assert refused(ACTS[act], session) is outcome


def refused(act: Act, session: Session) -> ServiceError:
    """The exact error with which `session` refuses `act`."""
    with pytest.raises(SigningError) as error:
        act(session)
    return error.type


def test_the_table_leaves_no_situation_out() -> None:
    assert SESSIONS.keys() == SITUATIONS.keys()
    assert all(outcomes.keys() == ACTS.keys() for outcomes in SESSIONS.values())
    assert {session().status for session in SITUATIONS.values()} == set(SessionStatus)
    archivable = {f"archived {status.value}" for status in SessionStatus if status is not S.CANCELLED}
    assert archivable <= SITUATIONS.keys()


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
    "views": ACTS["ada views"],
    "signs": ACTS["ada signs"],
    "declines": ACTS["ada declines"],
    "is reminded": lambda session: session.with_delivery(ADA, 1).remind(audit(NOON + timedelta(days=7))),
    "is late": lambda session: session.expire(audit(LATE)),
    "sees it archived": ACTS["archive"],
    "sees it restored": ACTS["restore"],
}
_NOT_ACTIVE = dict.fromkeys(("is invited", "views", "signs", "declines"), SessionNotActive)
_DONE: dict[str, RecipientStatus | ServiceError] = {**_NOT_ACTIVE, "is reminded": NotDue, "is late": NotDue}
_SIGNED = dict.fromkeys(("views", "signs", "declines"), AlreadySigned)
RECIPIENTS: dict[str, dict[str, RecipientStatus | ServiceError]] = {
    "waiting in a draft": {**_DONE, "sees it archived": R.CANCELLED, "sees it restored": NotArchived},
    "pending": {
        "is invited": R.PENDING,
        "views": R.VIEWED,
        "signs": R.COMPLETED,
        "declines": R.DECLINED,
        "is reminded": R.PENDING,
        "is late": R.EXPIRED,
        "sees it archived": R.CANCELLED,
        "sees it restored": NotArchived,
    },
    "viewed": {
        "is invited": R.VIEWED,
        "views": R.VIEWED,
        "signs": R.COMPLETED,
        "declines": R.DECLINED,
        "is reminded": R.VIEWED,
        "is late": R.EXPIRED,
        "sees it archived": R.CANCELLED,
        "sees it restored": NotArchived,
    },
    "completed": {
        **_SIGNED,
        "is invited": RecipientNotActive,
        "is reminded": R.COMPLETED,
        "is late": R.COMPLETED,
        "sees it archived": R.COMPLETED,
        "sees it restored": NotArchived,
    },
    "declined": {**_DONE, "sees it archived": R.DECLINED, "sees it restored": NotArchived},
    "expired": {**_DONE, "sees it archived": R.EXPIRED, "sees it restored": NotArchived},
    "cancelled while waiting": {**_DONE, "sees it archived": AlreadyArchived, "sees it restored": R.WAITING},
    "cancelled while pending": {**_DONE, "sees it archived": AlreadyArchived, "sees it restored": R.PENDING},
    "cancelled while viewed": {**_DONE, "sees it archived": AlreadyArchived, "sees it restored": R.VIEWED},
    "completed and archived": {
        **_DONE,
        **_SIGNED,
        "sees it archived": AlreadyArchived,
        "sees it restored": R.COMPLETED,
    },
    "declined and archived": {**_DONE, "sees it archived": AlreadyArchived, "sees it restored": R.DECLINED},
    "expired and archived": {**_DONE, "sees it archived": AlreadyArchived, "sees it restored": R.EXPIRED},
}


@pytest.mark.parametrize(
    ("situation", "act", "outcome"),
    [
        pytest.param(situation, act, outcome, id=f"ada, {situation}, {act}")
        for situation, outcomes in RECIPIENTS.items()
        for act, outcome in outcomes.items()
    ],
)
def test_every_act_in_every_status_of_a_recipient(
    situation: str, act: str, outcome: RecipientStatus | ServiceError
) -> None:
    session = ADAS[situation]()
    if isinstance(outcome, RecipientStatus):
        assert ADAS_ACTS[act](session).session.recipient(ADA).status is outcome
    else:
        assert refused(ADAS_ACTS[act], session) is outcome


def test_the_table_leaves_no_status_of_a_recipient_out() -> None:
    assert RECIPIENTS.keys() == ADAS.keys()
    assert all(outcomes.keys() == ADAS_ACTS.keys() for outcomes in RECIPIENTS.values())
    assert {session().recipient(ADA).status for session in ADAS.values()} == set(RecipientStatus)


def test_who_waits_for_others_is_left_in_peace_until_these_have_signed() -> None:
    session = sent()
    assert session.recipient(GRACE).status is R.WAITING
    assert [
        refused(ACTS[act], session) for act in ("invite grace", "grace views", "grace signs", "grace declines")
    ] == [
        RecipientNotActive,
        NotYourTurn,
        NotYourTurn,
        NotYourTurn,
    ]
    reminded = session.with_delivery(ADA, 1).remind(audit(NOON + timedelta(days=7))).session
    assert reminded.recipient(GRACE).reminders == 0
    assert ACTS["archive"](session).session.recipient(GRACE).status is R.CANCELLED
    assert session.sign(ADA, submission("ada"), audit()).session.recipient(GRACE).status is R.PENDING


def test_a_signed_pdf_is_stored_once() -> None:
    generated = SITUATIONS["completedAndGenerated"]()
    assert refused(ACTS["the signed PDF is stored"], generated) is NotDue
