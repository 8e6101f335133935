"""`undersign demo`: creates and sends an example, signs it as its recipients, and downloads the results."""

import json
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from time import monotonic, sleep

import httpx

from cli.data_directory import DevInfo, read_dev_info
from cli.demo.browser import WAIT_SECONDS, Answer, Browser
from cli.demo.examples import SIGNATURE, Example
from cli.output import DemoFailed, NotRunning, Progress
from domain.session.signing_links import read_token
from domain.shared.errors import LinkNotValid
from undersign import Client, ClientError
from undersign.models import RecipientRead

Answers = Mapping[str, Mapping[str, Answer]]


def run_demo(data_dir: Path, output: Path, progress: Progress, example: Example = Example.AGREEMENT) -> None:
    """Acts as the client and all recipients of `example`; saves the results in `output`."""
    dev_info = find_service(data_dir)
    try:
        with connect(dev_info) as service:
            _sign_example(dev_info, service, output, progress, example)
    except ClientError as error:
        raise DemoFailed(str(error)) from error


def _sign_example(dev_info: DevInfo, service: Client, output: Path, progress: Progress, example: Example) -> None:
    body, answers = read_example(example)
    session = service.create_session(body)
    pages = sum(file.page_count or 0 for file in session.files)
    progress.say(f"Created the session “{session.name}”: {pages} pages, {len(session.recipients)} recipients.")
    service.send_session(session.session_id)
    progress.say("Sent it. The first recipient gets an invitation.")
    for number, recipient in enumerate(sorted(session.recipients, key=lambda recipient: recipient.signing_order)):
        link = await_invitation(dev_info.outbox_dir, session.session_id, recipient)
        is_drawn = number % 2 == 1
        count = sign(link, recipient, answers.get(recipient.key, {}), is_drawn=is_drawn)
        method = "drawing" if is_drawn else "typing"
        progress.say(f"{recipient.name} opened the link in the mail, filled in {count} fields and signed by {method}.")
    service.wait_until_generated(session.session_id, seconds=WAIT_SECONDS)
    progress.say("All have signed; the signed PDF is generated and checked.")
    for path in save_results(service, session.session_id, output):
        progress.say(f"Saved {path} ({path.stat().st_size / 1024:.0f} kB).")
    run_url = f"{dev_info.temporal_ui_url}/namespaces/default/workflows/session%2F{session.session_id}"
    progress.say(f"Each step in the Temporal UI: {run_url}")


def connect(dev_info: DevInfo) -> Client:
    """Returns a client of the running service; it ignores proxies that the environment names."""
    http = httpx.Client(trust_env=False, timeout=WAIT_SECONDS)
    return Client(dev_info.api_url, dev_info.client_id, dev_info.client_secret, http=http)


def find_service(data_dir: Path) -> DevInfo:
    """Returns the access data of the service on `data_dir`; raises `NotRunning`."""
    dev_info = read_dev_info(data_dir)
    try:
        if dev_info is not None and httpx.get(f"{dev_info.api_url}/healthz", trust_env=False).is_success:
            return dev_info
    except httpx.TransportError:
        pass  # a service that was killed leaves its dev.json behind
    raise NotRunning(
        f"No Undersign runs on {data_dir}. "
        "Start it in another terminal with `make run`, or `undersign dev` if it is installed, then try again."
    )


def read_example(example: Example = Example.AGREEMENT) -> tuple[bytes, Answers]:
    """Returns the body of the Create Session request, and the answers of its recipients."""
    try:
        return example.request.read_bytes(), json.loads(example.answers.read_bytes())
    except OSError as error:
        raise DemoFailed(f"The example is missing ({error}); install Undersign again.") from error


def await_invitation(outbox: Path, session_id: str, recipient: RecipientRead) -> str:
    """Returns the signing link of the mail that invites `recipient` to the session."""
    deadline = monotonic() + WAIT_SECONDS
    read: set[Path] = set()
    while monotonic() < deadline:
        for path in sorted({*outbox.glob("*.eml")} - read, reverse=True):
            read.add(path)
            if link := _find_link(path.read_bytes(), session_id, recipient.email):
                return link
        sleep(0.1)
    raise DemoFailed(
        f"No invitation for {recipient.name} arrived in {outbox}. The worker's log says why: {outbox.parent}/logs."
    )


def _find_link(mail: bytes, session_id: str, address: str) -> str | None:
    message = message_from_bytes(mail, policy=default)
    text = message.get_body(("plain",)) if address in str(message["To"]) else None
    for word in str(text.get_content()).split() if text else ():
        _, _, token = word.rpartition("/sign/")
        # Other words of the mail may look like a link.
        with suppress(LinkNotValid):
            if token != word and read_token(token).session_id == session_id:
                return word
    return None


def sign(link: str, recipient: RecipientRead, answers: Mapping[str, Answer], *, is_drawn: bool) -> int:
    """Opens `link` as `recipient`, fills in the form and submits it; returns the number of fields filled in."""
    with Browser() as browser:
        documents = browser.submit(browser.open(link), {})
        form = documents.form()
        fields = {name: answers[name.partition("/")[2]] for name in form.names if name.partition("/")[2] in answers}
        signature = (
            {"signatureKind": "drawn", "signatureDrawing": drawn_signature()}
            if is_drawn
            else {"signatureKind": "typed", "signatureText": recipient.name}
        )
        done = browser.submit(documents, {**fields, **signature, "consent": form.choices.get("consent", [])})
        if done.alerts:
            raise DemoFailed(f"The service did not accept what {recipient.name} submitted: {done.alerts}")
    return len(fields)


def drawn_signature() -> str:
    """Returns a handwritten signature as a data URL of a PNG, the form in which a page's canvas submits it."""
    return "data:image/png;base64," + b64encode(SIGNATURE.read_bytes()).decode()


def save_results(service: Client, session_id: str, output: Path) -> list[Path]:
    """Downloads the signed documents and the certificate into `output`; returns their paths."""
    output.mkdir(parents=True, exist_ok=True)
    entries = service.list_documents(session_id).documents
    contents = {output / Path(entry.file_name).name: service.download(entry) for entry in entries}
    contents[output / "Certificate of completion.pdf"] = service.get_certificate(session_id)
    for path, content in contents.items():
        path.write_bytes(content)
    return list(contents)
