"""What clients and recipients do with sessions under faults, and the state that must follow."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from time import monotonic
from uuid import uuid4

from tests.builders import session_body
from tests.chaos.cluster import Client
from tests.chaos.users import Answer, ApiClient, Inconsistency, Recipient, eventually
from tests.load import at_once
from tests.outbox import Outbox

_GONE = (HTTPStatus.NOT_FOUND,)

RECIPIENTS = ("ada", "grace")

ROWS = 8
"""Rows of a batch."""


@dataclass
class Outcome:
    """A session and the state that its scenario leads to. Times are seconds of the monotonic clock."""

    scenario: str
    session_id: str
    created: Answer
    began: float
    status: str = "completedAndGenerated"
    signed: tuple[str, ...] = RECIPIENTS
    archived: int = 0
    ended: float = field(default=0.0)

    @property
    def files(self) -> int:
        return len(self.created["files"])

    @property
    def is_erased(self) -> bool:
        return self.status == "erased"


class ScenarioRunner:
    """Runs one scenario after another, as one client."""

    def __init__(self, client: Client, outbox: Outbox, callback_url: str) -> None:
        self._api = ApiClient(client)
        self._outbox = outbox
        self._callback_url = callback_url

    def run(self, scenario: str) -> Outcome:
        """Runs a scenario to its end, retrying as often as needed."""
        outcome = SCENARIOS[scenario](self, scenario)
        outcome.ended = monotonic()
        return outcome

    def close(self) -> int:
        """Returns how many of its reads showed an older state than one before."""
        self._api.close()
        return self._api.older

    def in_order(self, scenario: str) -> Outcome:
        session, outcome = self._sent(scenario)
        for who in RECIPIENTS:
            self._sign(session, who)
        return self._generated(outcome)

    def together(self, scenario: str) -> Outcome:
        session, outcome = self._sent(scenario, orders=(1, 1), files=2)
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(lambda who: self._sign(session, who), RECIPIENTS))
        return self._generated(outcome)

    def everything_twice(self, scenario: str) -> Outcome:
        """Sent from two places and signed in two tabs, at the same moment."""
        session, outcome = self._created(scenario)
        at_once(2, lambda: self._send(outcome.session_id, also=(HTTPStatus.BAD_REQUEST,)))
        for who in RECIPIENTS:
            at_once(2, lambda who=who: self._sign(session, who))
        return self._generated(outcome)

    def declined(self, scenario: str) -> Outcome:
        session, outcome = self._sent(scenario)
        self._sign(session, "ada")
        self._recipient(session, "grace", "declined").decline("Not at this price.")
        self._await(outcome, "declined")
        outcome.status, outcome.signed = "declined", ("ada",)
        return outcome

    def archived_and_restored(self, scenario: str) -> Outcome:
        session, outcome = self._sent(scenario)
        self._sign(session, "ada")
        self._archive(outcome)
        self._restore(outcome, "inProgress")
        self._sign(session, "grace")
        return self._generated(outcome)

    def archived_at_the_end(self, scenario: str) -> Outcome:
        """Its own run may have closed it before."""
        outcome = self.in_order(scenario)
        self._archive(outcome)
        outcome.status = "cancelled"
        return outcome

    def erased_on_the_way(self, scenario: str) -> Outcome:
        session, outcome = self._sent(scenario)
        self._sign(session, "ada")
        return self._erased(outcome)

    def erased_at_the_end(self, scenario: str) -> Outcome:
        return self._erased(self.in_order(scenario))

    def left_open(self, scenario: str) -> Outcome:
        session, outcome = self._sent(scenario)
        self._link(session, "ada")
        outcome.status, outcome.signed = "pending", ()
        return outcome

    def in_a_batch(self, scenario: str) -> Outcome:
        """Every row has exactly one session. The first of them is the outcome, left open."""
        began = monotonic()
        body = body_of(scenario, (1, 2), 1)
        batch, results = self._batch_of(body, [f"{body['name']} {number}" for number in range(ROWS)])
        sessions = {one["sessionId"] for one in results if one["status"] == "pending"}
        total = self._api.call("GET", f"/api/v1/Sessions?metadata[batch]={batch}").json()["pagination"]["total"]
        if not len(sessions) == total == ROWS:
            raise Inconsistency(f"{total} sessions of {ROWS} rows: {results}")
        session = self._api.session(results[0]["sessionId"])
        self._link(session, "ada")
        return Outcome(scenario, session["sessionId"], session, began, "pending", ())

    def _batch_of(self, body: Answer, names: Sequence[str]) -> tuple[str, list[Answer]]:
        """Creates a batch with a row of each name. Returns the label of its sessions, and the results at its end."""
        label, path = uuid4().hex, "/api/v1/SessionFromTemplate/Batch"
        document, recipients = body["files"][0]["document"], body["recipients"]
        template = {"name": "Agreement", "document": document, "recipients": recipients, "activate": True}
        template_id = self._api.call("POST", "/api/v1/Template", json=template, headers=_key()).json()["templateId"]
        rows = [{"name": name, "metadata": {"batch": label}} for name in names]
        sending = {"sendImmediately": True, "callbackUrl": self._callback_url, "perMinute": 60}
        asked = {"templateId": template_id, "name": "Agreements", "rows": rows, **sending}
        batch_id = self._api.call("POST", path, json=asked, headers=_key()).json()["batchId"]

        def has_ended() -> list[Answer] | None:
            results: Answer = self._api.call("GET", f"{path}/{batch_id}/Results").json()
            return list(results["results"]) if results["state"] == "completed" else None

        return label, eventually(has_ended, f"{batch_id} is not completed")

    def _sent(self, scenario: str, orders: tuple[int, int] = (1, 2), files: int = 1) -> tuple[Answer, Outcome]:
        session, outcome = self._created(scenario, orders, files)
        self._send(outcome.session_id)
        return session, outcome

    def _created(self, scenario: str, orders: tuple[int, int] = (1, 2), files: int = 1) -> tuple[Answer, Outcome]:
        began = monotonic()
        body = {**body_of(scenario, orders, files), "callbackUrl": self._callback_url}
        session: Answer = self._api.call("POST", "/api/v1/Session", json=body, headers=_key()).json()
        return session, Outcome(scenario, session["sessionId"], session, began)

    def _send(self, session_id: str, also: tuple[int, ...] = ()) -> None:
        """Sends with a key, so that a try whose answer was lost does not make the next one a refusal."""
        self._api.call("POST", f"/api/v1/Session/{session_id}/Send", headers=_key(), also=also)

    def _sign(self, session: Answer, who: str) -> None:
        self._recipient(session, who, "completed").sign()

    def _recipient(self, session: Answer, who: str, becomes: str) -> Recipient:
        def has_acted() -> bool:
            now = self._api.session(session["sessionId"])
            return next(r["status"] == becomes for r in now["recipients"] if r["key"] == who)

        return Recipient(self._link(session, who), who.title(), has_acted)

    def _link(self, session: Answer, who: str) -> str:
        session_id = session["sessionId"]
        to = next(recipient for recipient in session["recipients"] if recipient["key"] == who)
        return eventually(
            lambda: self._outbox.invitation(session_id, to["recipientId"], to["email"]),
            f"{session_id}: no mail to {who}",
        )

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

        eventually(reached, f"{outcome.scenario} {outcome.session_id} is not {status}")


def _key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid4())}


def body_of(scenario: str, orders: tuple[int, int], files: int) -> Answer:
    blocks = [
        {"type": "heading", "text": "Terms"},
        {"type": "paragraph", "text": "Both parties agree to what was said. " * 20},
        *({"type": "field", "fieldType": "text", "label": f"Address of {who}", "recipient": who} for who in RECIPIENTS),
    ]
    body = session_body(f"{scenario} {uuid4().hex[:12]}", {who: who.title() for who in RECIPIENTS}, *blocks)
    for recipient, order in zip(body["recipients"], orders, strict=True):
        recipient["signingOrder"] = order
    return {**body, "files": body["files"] * files}


SCENARIOS: dict[str, Callable[[ScenarioRunner, str], Outcome]] = {
    "signed in order": ScenarioRunner.in_order,
    "signed together": ScenarioRunner.together,
    "everything twice": ScenarioRunner.everything_twice,
    "declined": ScenarioRunner.declined,
    "archived and restored": ScenarioRunner.archived_and_restored,
    "archived at the end": ScenarioRunner.archived_at_the_end,
    "erased on the way": ScenarioRunner.erased_on_the_way,
    "erased at the end": ScenarioRunner.erased_at_the_end,
    "left open": ScenarioRunner.left_open,
    "in a batch": ScenarioRunner.in_a_batch,
}
