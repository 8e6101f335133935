"""The example agreement on a running service, step by step."""

import json

from cli.demo.browser import Answer
from cli.demo.command import Answers, await_invitation, read_example, sign
from cli.demo.examples import Example
from cli.dev.data_directory import DevInfo
from schemas.session_read import RecipientRead, SessionRead
from tests.http_requests import PATIENCE
from undersign import Client


class Agreement:
    """A session that has been sent, and its recipients' acts."""

    def __init__(
        self,
        dev_info: DevInfo,
        service: Client,
        session: SessionRead | None = None,
        example: Example = Example.AGREEMENT,
        callback_url: str | None = None,
    ) -> None:
        body, self.answers = read_example(example)
        if callback_url is not None:
            body = json.dumps({**json.loads(body), "callbackUrl": callback_url}).encode()
        self._dev_info = dev_info
        self._service = service
        if session is None:
            session = service.create_session(body)
            service.send_session(session.session_id)
        self.session = session

    def continued(self, dev_info: DevInfo, service: Client) -> "Agreement":
        """Returns the same session, on a service that was started again."""
        return Agreement(dev_info, service, self.session)

    @property
    def session_id(self) -> str:
        return self.session.session_id

    def link_of(self, key: str) -> str:
        return await_invitation(self._dev_info.outbox_dir, self.session_id, self._recipient(key))

    def sign(self, key: str, **changes: Answer) -> None:
        """Signs with the answers of the example, and `changes` to them."""
        sign(self.link_of(key), self._recipient(key), {**self.answers[key], **changes}, is_drawn=False)

    def await_documents(self) -> SessionRead:
        return self._service.wait_until_generated(self.session_id, seconds=PATIENCE)

    def _recipient(self, key: str) -> RecipientRead:
        return next(recipient for recipient in self.session.recipients if recipient.key == key)


def values_of(answers: Answers) -> list[str]:
    """What was typed into fields."""
    found = (value for values in answers.values() for value in values.values())
    return [value for value in found if isinstance(value, str) and value != "true"]
