"""The calls of the API that the demonstration makes, as a client program would make them."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, Self, TypeVar

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from api.cli.failures import DemonstrationFailed
from api.cli.handle import Handle

TRY_AGAIN = frozenset({429, 503})
"""The service asks for patience."""

PATIENCE = 30.0
"""Seconds for which a call is tried again."""

_PAUSE = 0.25
_LONGEST_PAUSE = 2.0
_TIMEOUT = 30.0


class Answer(BaseModel):
    """Base of the parts of an answer that are read here."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel)


T = TypeVar("T", bound=Answer)


class RecipientAnswer(Answer):
    key: str
    name: str
    email: str
    status: str
    signing_order: int


class FileAnswer(Answer):
    file_id: str
    page_count: int


class SessionAnswer(Answer):
    session_id: str
    name: str
    status: str
    waiting_for: str
    recipients: tuple[RecipientAnswer, ...]
    files: tuple[FileAnswer, ...]


class DownloadAnswer(Answer):
    file_name: str
    url: str


class DownloadsAnswer(Answer):
    documents: tuple[DownloadAnswer, ...]


class ServiceCalls:
    """A client of the service, with an access token of its own."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    @classmethod
    def connect(cls, handle: Handle) -> Self:
        """Gets an access token; the connection is closed with `close`."""
        http = httpx.Client(base_url=handle.api_url, trust_env=False, timeout=_TIMEOUT)
        http.headers["User-Agent"] = "undersign-demo/1"
        answer = _patiently(
            lambda: http.post(
                "/oidc/token",
                data={"grant_type": "client_credentials"},
                auth=(handle.client_id, handle.client_secret),
            )
        )
        http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        return cls(http)

    def close(self) -> None:
        self._http.close()

    def create_session(self, body: bytes) -> SessionAnswer:
        answer = self._call("POST", "/api/v1/Session", content=body, headers={"Content-Type": "application/json"})
        return _read(SessionAnswer, answer)

    def send_session(self, session_id: str) -> None:
        self._call("POST", f"/api/v1/Session/{session_id}/Send")

    def get_session(self, session_id: str) -> SessionAnswer:
        return _read(SessionAnswer, self._call("GET", f"/api/v1/Session/{session_id}"))

    def get_documents(self, session_id: str) -> tuple[DownloadAnswer, ...]:
        return _read(DownloadsAnswer, self._call("GET", f"/api/v1/Session/{session_id}/Documents")).documents

    def get_certificate(self, session_id: str) -> bytes:
        return self._call("GET", f"/api/v1/Session/{session_id}/Certificate").content

    def _call(self, method: str, path: str, **options: Any) -> httpx.Response:  # noqa: ANN401  # httpx types them
        return _patiently(lambda: self._http.request(method, path, **options))


def download(url: str) -> bytes:
    """What lies at a download address, fetched as anybody who has it can: without a header."""
    return _patiently(lambda: httpx.get(url, trust_env=False, timeout=_TIMEOUT)).content


def _patiently(call: Callable[[], httpx.Response]) -> httpx.Response:
    """A successful answer, after some tries if need be; a connection that fails says nothing about what was done."""
    deadline, pause = monotonic() + PATIENCE, _PAUSE
    while True:
        try:
            answer = call()
        except httpx.ConnectError as error:
            if monotonic() > deadline:
                raise DemonstrationFailed(f"The service does not answer ({error}); does it still run?") from error
        except httpx.TransportError as error:
            raise DemonstrationFailed(f"The connection broke off ({error!r}); run the demonstration again.") from error
        else:
            if answer.is_success:
                return answer
            if answer.status_code not in TRY_AGAIN or monotonic() > deadline:
                raise DemonstrationFailed(_refusal(answer))
        sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def _refusal(answer: httpx.Response) -> str:
    return f"{answer.request.method} {answer.request.url.path} answered {answer.status_code}: {answer.text[:2000]}"


def _read(kind: type[T], answer: httpx.Response) -> T:
    try:
        return kind.model_validate_json(answer.content)
    except ValidationError as error:
        raise DemonstrationFailed(f"{answer.request.url.path} answered something unexpected: {error}") from error
