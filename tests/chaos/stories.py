"""What clients and recipients do with a session while everything around it breaks, and what must be true afterwards."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from time import monotonic
from uuid import uuid4

from tests.chaos.house import Client
from tests.chaos.people import Answer, ApiClient, Outbox, Person, eventually, ids_of

_GONE = (HTTPStatus.NOT_FOUND,)

PEOPLE = ("ada", "grace")


@dataclass
class Outcome:
    """A session and what it was told to become. Times are seconds of the monotonic clock."""

    story: str
    session_id: str
    created: Answer
    began: float
    status: str = "completedAndGenerated"
    signed: tuple[str, ...] = PEOPLE
    archived: int = 0
    ended: float = field(default=0.0)

    @property
    def files(self) -> int:
        return len(self.created["files"])

    @property
    def is_erased(self) -> bool:
        return self.status == "erased"


class Teller:
    """Tells one story after another, as one client."""

    def __init__(self, client: Client, outbox: Outbox, callback_url: str) -> None:
        self._api = ApiClient(client)
        self._outbox = outbox
        self._callback_url = callback_url

    def tell(self, story: str) -> Outcome:
        """The story to its end, however often it takes."""
        outcome = STORIES[story](self, story)
        outcome.ended = monotonic()
        return outcome

    def close(self) -> int:
        """How many of its reads showed an older state than one before."""
        self._api.close()
        return self._api.older

    def in_order(self, story: str) -> Outcome:
        session, outcome = self._sent(story)
        for who in PEOPLE:
            self._sign(session, who)
        return self._generated(outcome)

    def together(self, story: str) -> Outcome:
        session, outcome = self._sent(story, orders=(1, 1), files=2)
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(lambda who: self._sign(session, who), PEOPLE))
        return self._generated(outcome)

    def everything_twice(self, story: str) -> Outcome:
        """Sent from two places and signed in two tabs, at the same moment."""
        session, outcome = self._created(story)
        _at_once(lambda: self._send(outcome.session_id, also=(HTTPStatus.BAD_REQUEST,)))
        for who in PEOPLE:
            _at_once(lambda who=who: self._sign(session, who))
        return self._generated(outcome)

    def declined(self, story: str) -> Outcome:
        session, outcome = self._sent(story)
        self._sign(session, "ada")
        self._person(session, "grace", "declined").decline("Not at this price.")
        self._await(outcome, "declined")
        outcome.status, outcome.signed = "declined", ("ada",)
        return outcome

    def archived_and_restored(self, story: str) -> Outcome:
        session, outcome = self._sent(story)
        self._sign(session, "ada")
        self._archive(outcome)
        self._restore(outcome, "inProgress")
        self._sign(session, "grace")
        return self._generated(outcome)

    def archived_at_the_end(self, story: str) -> Outcome:
        """Which its own run may have closed before."""
        session, outcome = self._sent(story)
        for who in PEOPLE:
            self._sign(session, who)
        self._generated(outcome)
        self._archive(outcome)
        outcome.status = "cancelled"
        return outcome

    def erased_on_the_way(self, story: str) -> Outcome:
        session, outcome = self._sent(story)
        self._sign(session, "ada")
        return self._erased(outcome)

    def erased_at_the_end(self, story: str) -> Outcome:
        session, outcome = self._sent(story)
        for who in PEOPLE:
            self._sign(session, who)
        self._generated(outcome)
        return self._erased(outcome)

    def left_open(self, story: str) -> Outcome:
        """Sent, and signed by nobody."""
        session, outcome = self._sent(story)
        self._link(session, "ada")
        outcome.status, outcome.signed = "pending", ()
        return outcome

    def _sent(self, story: str, orders: tuple[int, int] = (1, 2), files: int = 1) -> tuple[Answer, Outcome]:
        """A session that was created and then sent."""
        session, outcome = self._created(story, orders, files)
        self._send(outcome.session_id)
        return session, outcome

    def _created(self, story: str, orders: tuple[int, int] = (1, 2), files: int = 1) -> tuple[Answer, Outcome]:
        began = monotonic()
        answer = self._api.call(
            "POST", "/api/v1/Session", json=self._with_callback(story, orders, files), headers=_key()
        )
        session: Answer = answer.json()
        session_id = session["sessionId"]
        return session, Outcome(story, session_id, session, began)

    def _with_callback(self, story: str, orders: tuple[int, int], files: int) -> Answer:
        return {**body_of(story, orders, files), "callbackUrl": self._callback_url}

    def _send(self, session_id: str, also: tuple[int, ...] = ()) -> None:
        """Under a key, so that a try whose answer was lost is no refusal of the next one."""
        self._api.call("POST", f"/api/v1/Session/{session_id}/Send", headers=_key(), also=also)

    def _sign(self, session: Answer, who: str) -> None:
        self._person(session, who, "completed").sign()

    def _person(self, session: Answer, who: str, becomes: str) -> Person:
        def has_acted() -> bool:
            now = self._api.session(session["sessionId"])
            return next(r["status"] == becomes for r in now["recipients"] if r["key"] == who)

        return Person(self._link(session, who), who.title(), has_acted)

    def _link(self, session: Answer, who: str) -> str:
        session_id, recipient_id = session["sessionId"], ids_of(session)[who]
        return eventually(lambda: self._outbox.link(session_id, recipient_id), f"{session_id}: no mail to {who}")

    def _generated(self, outcome: Outcome) -> Outcome:
        self._await(outcome, "completedAndGenerated")
        return outcome

    def _archive(self, outcome: Outcome) -> None:
        self._api.call("DELETE", f"/api/v1/Session/{outcome.session_id}", done="ALREADY_ARCHIVED")
        self._await(outcome, "cancelled")
        outcome.archived += 1

    def _restore(self, outcome: Outcome, status: str) -> None:
        self._api.call("POST", f"/api/v1/Session/{outcome.session_id}/Restore", done="NOT_ARCHIVED")
        self._await(outcome, status)

    def _erased(self, outcome: Outcome) -> Outcome:
        self._api.call("DELETE", f"/api/v1/Session/{outcome.session_id}", params={"permanent": "true"}, also=_GONE)
        self._api.call("GET", f"/api/v1/Session/{outcome.session_id}", also=_GONE)
        outcome.status = "erased"
        return outcome

    def _await(self, outcome: Outcome, status: str) -> None:
        def reached() -> bool | None:
            return True if self._api.session(outcome.session_id)["status"] == status else None

        eventually(reached, f"{outcome.story} {outcome.session_id} is not {status}")


def _key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid4())}


def _at_once(act: Callable[[], None]) -> None:
    """The same act twice at the same moment."""
    with ThreadPoolExecutor(2) as threads:
        for done in [threads.submit(act), threads.submit(act)]:
            done.result()


def body_of(story: str, orders: tuple[int, int], files: int) -> Answer:
    recipients = [
        {"key": who, "name": who.title(), "email": f"{who}@example.com", "signingOrder": order}
        for who, order in zip(PEOPLE, orders, strict=True)
    ]
    blocks = [
        {"type": "heading", "text": "Terms"},
        {"type": "paragraph", "text": "Both parties agree to what was said. " * 20},
        *({"type": "field", "fieldType": "text", "label": f"Address of {who}", "recipient": who} for who in PEOPLE),
        *({"type": "signatureBlock", "recipient": who, "label": who.title()} for who in PEOPLE),
    ]
    documents = [
        {"type": "blocks", "document": {"format": "blocks", "title": f"Agreement {number}", "blocks": blocks}}
        for number in range(1, files + 1)
    ]
    return {"name": f"{story} {uuid4().hex[:12]}", "recipients": recipients, "files": documents}


STORIES: dict[str, Callable[[Teller, str], Outcome]] = {
    "signed in order": Teller.in_order,
    "signed together": Teller.together,
    "everything twice": Teller.everything_twice,
    "declined": Teller.declined,
    "archived and restored": Teller.archived_and_restored,
    "archived at the end": Teller.archived_at_the_end,
    "erased on the way": Teller.erased_on_the_way,
    "erased at the end": Teller.erased_at_the_end,
    "left open": Teller.left_open,
}
