"""`undersign demo`: an agreement is made, sent, signed by two people and downloaded, as users would do it."""

import json
from collections.abc import Mapping
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from time import monotonic, sleep

import httpx

from cli.demo.browser import PATIENCE, Answer, Browser
from cli.demo.examples import Example
from cli.demo.signature import draw_signature
from cli.dev.dev_info import DevInfo, read_dev_info
from cli.errors import DemoFailed, NotRunning
from cli.progress import Progress
from domain.session.signing_links import read_token
from domain.shared.errors import LinkNotValid
from schemas.session_read import RecipientRead, SessionRead
from undersign import Client, ClientError

_LOOK_EVERY = 0.1
_SIGN_PATH = "/sign/"
_CERTIFICATE = "Certificate of completion.pdf"

Answers = Mapping[str, Mapping[str, Answer]]


def run_demo(data_dir: Path, output: Path, progress: Progress, example: Example = Example.AGREEMENT) -> None:
    """Acts as the client and all recipients of `example`; saves the signed documents and the certificate in `output`.

    Raises:
        NotRunning: no service runs on `data_dir`.
        DemoFailed: a step did not lead to the next one.
    """
    dev_info = find_service(data_dir)
    try:
        with connect(dev_info) as service:
            _play(dev_info, service, output, progress, example)
    except ClientError as error:
        raise DemoFailed(str(error)) from error


def _play(dev_info: DevInfo, service: Client, output: Path, progress: Progress, example: Example) -> None:
    body, answers = read_example(example)
    session = service.create_session(body)
    pages = sum(file.page_count or 0 for file in session.files)
    progress.say(f"Created the session “{session.name}”: {pages} pages, {len(session.recipients)} recipients.")
    service.send_session(session.session_id)
    progress.say("Sent it. Whose turn it is gets an invitation.")
    for turn, recipient in enumerate(sorted(session.recipients, key=lambda recipient: recipient.signing_order)):
        link = await_invitation(dev_info.outbox_dir, session.session_id, recipient)
        is_drawn = turn % 2 == 1
        count = sign(link, recipient, answers.get(recipient.key, {}), is_drawn=is_drawn)
        how = "drawing" if is_drawn else "typing"
        progress.say(f"{recipient.name} opened the link in the mail, filled in {count} fields and signed by {how}.")
    service.wait_until_generated(session.session_id, seconds=PATIENCE)
    progress.say("All have signed; the signed PDF is generated and checked.")
    for path in save_results(service, session.session_id, output):
        progress.say(f"Saved {path} ({path.stat().st_size / 1024:.0f} kB).")
    progress.say(f"How it went, step by step: {workflow_address(dev_info, session)}")


def connect(dev_info: DevInfo) -> Client:
    """A client of the running service; the environment may name a proxy, which this machine needs none of."""
    http = httpx.Client(trust_env=False, timeout=PATIENCE)
    return Client(dev_info.api_url, dev_info.client_id, dev_info.client_secret, http=http)


def find_service(data_dir: Path) -> DevInfo:
    """The running service on `data_dir`; raises `NotRunning`."""
    dev_info = read_dev_info(data_dir)
    try:
        if dev_info is not None and httpx.get(f"{dev_info.api_url}/healthz", trust_env=False).is_success:
            return dev_info
    except httpx.TransportError:
        pass  # a service that was killed leaves its dev_info behind
    raise NotRunning(
        f"No Undersign runs on {data_dir}. "
        "Start it in another terminal with `make run`, or `undersign dev` if it is installed, then try again."
    )


def read_example(example: Example = Example.AGREEMENT) -> tuple[bytes, Answers]:
    """The request that makes the session, and what its recipients fill in."""
    try:
        return example.request.read_bytes(), json.loads(example.answers.read_bytes())
    except OSError as error:
        raise DemoFailed(f"The example is missing ({error}); install Undersign again.") from error


def await_invitation(outbox: Path, session_id: str, recipient: RecipientRead) -> str:
    """The link in the mail that invites `recipient` to the session."""
    deadline = monotonic() + PATIENCE
    read: set[Path] = set()
    while monotonic() < deadline:
        for path in sorted({*outbox.glob("*.eml")} - read, reverse=True):
            read.add(path)
            link = _link_in(path.read_bytes(), session_id, recipient.email)
            if link:
                return link
        sleep(_LOOK_EVERY)
    raise DemoFailed(
        f"No invitation for {recipient.name} arrived in {outbox}. The worker's log says why: {outbox.parent}/logs."
    )


def _link_in(mail: bytes, session_id: str, address: str) -> str | None:
    message = message_from_bytes(mail, policy=default)
    text = message.get_body(("plain",))
    if address not in str(message["To"]) or text is None:
        return None
    for word in str(text.get_content()).split():
        if _SIGN_PATH in word and _names_session(word.rpartition(_SIGN_PATH)[2], session_id):
            return word
    return None


def _names_session(token: str, session_id: str) -> bool:
    try:
        return read_token(token).session_id == session_id
    except LinkNotValid:
        return False


def sign(link: str, recipient: RecipientRead, answers: Mapping[str, Answer], *, is_drawn: bool) -> int:
    """Opens `link`, fills in the form and submits it, as `recipient` in a browser; how many fields were filled in."""
    with Browser() as browser:
        documents = browser.submit(browser.open(link), {})
        form = documents.form()
        fields = {name: answers[name.partition("/")[2]] for name in form.names if name.partition("/")[2] in answers}
        signature = (
            {"signatureKind": "drawn", "signatureDrawing": draw_signature()}
            if is_drawn
            else {"signatureKind": "typed", "signatureText": recipient.name}
        )
        done = browser.submit(documents, {**fields, **signature, "consent": form.choices.get("consent", [])})
        if done.alerts:
            raise DemoFailed(f"The service did not accept what {recipient.name} handed in: {done.alerts}")
    return len(fields)


def save_results(service: Client, session_id: str, output: Path) -> list[Path]:
    """Downloads the signed documents and the certificate; where they were put."""
    output.mkdir(parents=True, exist_ok=True)
    contents = {
        Path(entry.file_name).name: service.download(entry) for entry in service.list_documents(session_id).documents
    }
    contents[_CERTIFICATE] = service.get_certificate(session_id)
    for name, content in contents.items():
        (output / name).write_bytes(content)
    return [output / name for name in contents]


def workflow_address(dev_info: DevInfo, session: SessionRead) -> str:
    """Where Temporal shows the run of the session."""
    return f"{dev_info.temporal_ui_url}/namespaces/default/workflows/session%2F{session.session_id}"
