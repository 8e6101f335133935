"""A session on a running installation, and what its recipients do, step by step."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from cli.demo.browser import Answer
from cli.demo.command import Answers, read_example, run_demo, sign
from cli.demo.examples import Example
from cli.output import Progress
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.http_requests import PATIENCE
from undersign.models import RecipientRead, SessionRead


class Agreement:
    """A session that has been sent. `answers` are by recipient key and name of field."""

    def __init__(self, installation: Installation, session: SessionRead, answers: Answers | None = None) -> None:
        self._installation = installation
        self.session = session
        self.answers = answers or {}

    @classmethod
    def send(cls, installation: Installation, body: Mapping[str, Any], answers: Answers | None = None) -> "Agreement":
        session = installation.service.create_session({**body, "sendImmediately": True})
        return cls(installation, session, answers)

    @classmethod
    def of(cls, installation: Installation, example: Example = Example.AGREEMENT, **members: Any) -> "Agreement":
        """Sends an example, with `members` of the request in place of its own."""
        body, answers = read_example(example)
        return cls.send(installation, {**json.loads(body), **members}, answers)

    @property
    def session_id(self) -> str:
        return self.session.session_id

    @property
    def now(self) -> SessionRead:
        return self._installation.service.get_session(self.session_id)

    @property
    def statuses(self) -> list[str]:
        """The status of the session, and those of its recipients."""
        now = self.now
        return [now.status, *(recipient.status for recipient in now.recipients)]

    def link_of(self, key: str) -> str:
        """Returns the link of the latest invitation to the address of `session`, once there is one."""
        to, outbox = self._recipient(key), self._installation.outbox
        return eventually(
            lambda: outbox.invitation(self.session_id, to.recipient_id, to.email) or "", f"{key} has an invitation"
        )

    def sign(self, *keys: str, is_drawn: bool = False, **changes: Answer) -> None:
        """Signs as recipients with their answers, and `changes` to them."""
        for key in keys:
            values = {**self.answers.get(key, {}), **changes}
            sign(self.link_of(key), self._recipient(key), values, is_drawn=is_drawn)

    def complete(self, *, is_drawn: bool = False) -> SessionRead:
        """Signs as all who have not, in the signing order, and waits for the documents."""
        for recipient in sorted(self.now.recipients, key=lambda recipient: recipient.signing_order):
            if recipient.status != "completed":
                self.sign(recipient.key, is_drawn=is_drawn)
        return self._installation.service.wait_until_generated(self.session_id, seconds=PATIENCE)

    def _recipient(self, key: str) -> RecipientRead:
        return next(recipient for recipient in self.session.recipients if recipient.key == key)


def values_of(answers: Answers) -> list[str]:
    """Returns the texts that were typed into fields."""
    found = (value for values in answers.values() for value in values.values())
    return [value for value in found if isinstance(value, str) and value != "true"]


def sign_example(installation: Installation) -> Agreement:
    """Signs the example as both recipients, waits for its documents, and reads its values."""
    agreement = Agreement.of(installation)
    agreement.complete()
    installation.service.get_values(agreement.session_id)
    return agreement


def run_example(installation: Installation, folder: Path) -> tuple[Path, Path, str]:
    """Runs the demo; returns the paths of the signed PDF and the certificate in `folder`, and what it has printed."""
    printed = io.StringIO()
    run_demo(installation.data_dir, folder, Progress(Console(file=printed, width=1000)))
    return folder / "Consulting Agreement.pdf", folder / "Certificate of completion.pdf", printed.getvalue()
