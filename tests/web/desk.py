"""The pages on fakes: sessions with real documents, and people who come with their links."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from adapters.rate_limit_counters import limit_in_memory
from adapters.webhooks.http_sender import HttpSender
from api.body_limits import BodyLimit
from application.services import Services
from domain.ports.keys import SecretKeys
from domain.ports.limits import Quotas
from domain.ports.session_requests import DeclineRequest, SessionCommand, SignRequest
from domain.session.consent_texts import CONSENT_VERSION
from domain.session.materials import Materials
from domain.session.recipients import Recipient
from domain.session.session import FileType, Session, SessionFile
from domain.session.signing_links import link_secret, make_token
from domain.shared.ids import FileId
from domain.shared.object_names import source_name, zones_name
from layout.engine import render
from layout.schema.block_document import BlockDocument
from tests.api.repositories import Repositories
from tests.application.uploads import pdfs
from tests.builders import audit, draft, file, identifier, recipient
from tests.fakes.access_keys import MemoryAccessKeys
from tests.fakes.batches import FakeBatchRuns
from tests.fakes.deliveries import FakeDeliveries
from tests.fakes.mail import MemoryMailer
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.processes import InlinePool
from tests.fakes.seals import SEALER
from tests.fakes.sessions import LINK_KEY, FakeSessions, WitnessedRows
from tests.web.html import Page
from web.all_routers import ROUTERS

BASE_URL = "https://sign.example.com"
KEYS = SecretKeys(receipt=b"", link=LINK_KEY, cookie=b"c" * 32, download=b"d" * 32)
Block = dict[str, Any]

CLAUSE: Block = {"type": "paragraph", "text": "The consultant advises the client."}
ADDRESS: Block = {"type": "field", "fieldType": "text", "label": "Address", "recipient": "ada", "name": "address"}
SCHEDULE: Block = {
    "type": "field", "fieldType": "checkbox", "label": "I read the schedule", "recipient": "ada", "name": "schedule",
    "required": True,
}  # fmt: skip
CENTRE: Block = {"type": "field", "fieldType": "text", "label": "Cost centre", "recipient": "grace", "name": "centre"}
SIGNATURES: tuple[Block, ...] = (
    {"type": "signatureBlock", "recipient": "ada", "label": "For the consultant"},
    {"type": "signatureBlock", "recipient": "grace", "label": "For the client"},
)
AGREEMENT: tuple[Block, ...] = (CLAUSE, ADDRESS, SCHEDULE, CENTRE, *SIGNATURES)


def zones_of(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """Zones as the engine would find them, all in one place: pages do not look at geometry."""
    found: list[tuple[str, Block]] = []
    for at, block in enumerate(blocks):
        if block["type"] in {"field", "signatureBlock"}:
            found.append((f"/blocks/{at}", block))
        found += [(f"/blocks/{at}/fields/{number}", field) for number, field in enumerate(block.get("fields", ()))]
    return [zone_of(path, block) for path, block in found]


def zone_of(path: str, block: Block) -> dict[str, Any]:
    return {
        "name": block.get("name", f"signature:{path.rpartition('/')[2]}"),
        "type": block.get("fieldType", "signature"),
        "label": block["label"],
        "recipient": block["recipient"],
        "required": block.get("required", block.get("fieldType") != "checkbox"),
        "path": path,
        "placeholder": block.get("placeholder"),
        "date_format": block.get("dateFormat"),
        "options": [{"text": option, "x": 56, "y": 100, "w": 11, "h": 11} for option in block.get("options", ())],
        "page": 1, "x": 56, "y": 100, "w": 483, "h": 40,
    }  # fmt: skip


class WitnessedSessions(FakeSessions):
    """Sessions that keep the requests of recipients who sign or decline."""

    def __init__(self, rows: WitnessedRows) -> None:
        super().__init__(rows)
        self.requests: list[SignRequest | DeclineRequest] = []

    async def act(self, session: Session, command: SessionCommand, update_id: str | None = None) -> Session:
        if isinstance(command, SignRequest | DeclineRequest):
            self.requests.append(command)
        return await super().act(session, command, update_id)


class Desk(Repositories):
    def __init__(self, outbox: Path | None = None, base_url: str = BASE_URL) -> None:
        super().__init__()
        self.sessions = WitnessedSessions(self.rows)
        self.objects = MemoryObjectStore()
        self.deliveries = FakeDeliveries()
        self.batch_runs = FakeBatchRuns(self.batches, lambda: self.app.state.services)
        self.mailer = MemoryMailer()
        self.base_url = base_url
        self.app = FastAPI(redirect_slashes=False)
        self.app.add_middleware(BodyLimit)
        self.app.router.routes += [route for router in ROUTERS for route in router.routes]
        self.serve(outbox=outbox)

    def serve(self, **others: Any) -> None:
        """Has the pages work with `others` in place of the usual."""
        members: dict[str, Any] = {
            **self.members(),
            "access_keys": MemoryAccessKeys(),
            "pool": InlinePool(),
            "quarantine": InlinePool(),
            "checking": InlinePool(),
            "sealer": SEALER,
            "keys": KEYS,
            "rate_limits": limit_in_memory(),
            "quotas": Quotas(pages=0),
            "download_lifetime": 300,
            "outbox": None,
            "callback_sender": HttpSender(private=True, try_seconds=5),
        }
        self.app.state.services = Services(**{**members, **others})

    def use(self, kind: type[FakeSessions]) -> None:
        """Serves the pages with sessions of that kind."""
        self.sessions = kind(self.rows)  # type: ignore[assignment]
        self.serve()

    async def send(
        self,
        *documents: Sequence[Block],
        name: str = "Consulting agreement",
        document: Block | None = None,
        **members: Any,
    ) -> Session:
        """A session that was just sent, to Ada first and Grace second unless `members` has other recipients.

        `document` holds members of each document beside its blocks.
        """
        wanted_files = [
            await self._store(f"{identifier(name)}/", number, {**(document or {}), "blocks": [*blocks]})
            for number, blocks in enumerate(documents or (AGREEMENT,), 1)
        ]
        people = members.pop("recipients", (recipient("ada", 1), recipient("grace", 2)))
        wanted = draft(*people, files=tuple(wanted_files), name=name).model_copy(update=members)
        step = Session.create(wanted, audit())
        sent = await self.sessions.create(step, audit())
        return self.session(sent)

    async def send_rendered(self) -> Session:
        """A session with rendered pages and zones, and an uploaded PDF of two pages."""
        session = await self.send(name="Papers")
        file = session.files[0]
        assert file.source is not None
        document = BlockDocument.model_validate_json(await self.objects.get(file.source))
        rendered = render(document, ["ada", "grace"])
        assert rendered.pdf is not None
        zones = "[" + ",".join(zone.model_dump_json() for zone in rendered.zones) + "]"
        made = file.model_copy(
            update={
                "rendered": await self.objects.put("session/sent.pdf", rendered.pdf, "application/pdf"),
                "zones": await self.objects.put("session/found.json", zones.encode(), "application/json"),
                "page_count": rendered.page_count,
            }
        )
        terms = SessionFile(
            type=FileType.UPLOADED_PDF, file_id=FileId(identifier("terms")), file_name="Terms.pdf", title="Terms",
            page_count=2, rendered=await self.objects.put("session/terms.pdf", pdfs.of_pages(2), "application/pdf"),
        )  # fmt: skip
        session = session.model_copy(update={"files": (made, terms)})
        await self.change(session)
        return session

    async def _store(self, prefix: str, number: int, document: Block) -> SessionFile:
        made = file(f"Agreement {number}")
        content = {"format": "blocks", "title": made.title, "subtitle": "Between us", **document}
        source, zones = json.dumps(content).encode(), json.dumps(zones_of(document["blocks"])).encode()
        return made.model_copy(
            update={
                "source": await self.objects.put(source_name(prefix, made.file_id, source), source, "application/json"),
                "zones": await self.objects.put(zones_name(prefix, made.file_id, zones), zones, "application/json"),
            }
        )

    def session(self, session: Session) -> Session:
        """The current state of a session."""
        return self.sessions.held[session.session_id]

    async def change(self, session: Session) -> None:
        """Has the session be as given, whatever was before."""
        await self.sessions.become(session)

    async def generate(self, session: Session) -> Session:
        session = self.session(session)
        for held in session.files:
            signed = await self.objects.put(Materials.of(session, held).signed_name, b"%PDF signed", "application/pdf")
            session = session.add_signed_document(held.file_id, signed, audit()).session
        await self.change(session)
        return session

    def browser(self, address: str = "192.0.2.7", **headers: str) -> httpx.AsyncClient:
        """A browser at that network address, with a cookie jar of its own."""
        transport = httpx.ASGITransport(app=self.app, client=(address, 40000))
        return httpx.AsyncClient(transport=transport, base_url=self.base_url, headers=headers)

    def recipient(self, session: Session, key: str) -> Recipient:
        return next(r for r in self.session(session).recipients if r.key == key)

    def link(self, session: Session, key: str = "ada") -> str:
        """The path of a recipient's latest link."""
        person = self.recipient(session, key)
        secret = link_secret(LINK_KEY, session.session_id, person.recipient_id, person.invitation.number)
        return f"/sign/{make_token(session.organisation_id, session.session_id, secret)}"

    async def come_in(self, session: Session, key: str = "ada") -> "Visitor":
        """A recipient with the documents open."""
        browser = self.browser()
        opened = await browser.post(self.link(session, key))
        assert opened.status_code == 303, opened.text
        return Visitor(browser, opened.headers["location"].partition("?")[0])


class Visitor:
    """A recipient who has the documents open."""

    def __init__(self, browser: httpx.AsyncClient, path: str) -> None:
        self.browser = browser
        self.path = path

    async def look(self) -> Page:
        answer = await self.browser.get(self.path)
        assert answer.status_code == 200, answer.text
        return Page(answer.text)

    async def post(self, changes: Mapping[str, str | None], **headers: str) -> httpx.Response:
        """Posts the form as the page has it, with `changes`; None takes an input out."""
        form: dict[str, str | None] = {**(await self.look()).form(), **changes}
        return await self.post_form({name: value for name, value in form.items() if value is not None}, **headers)

    async def post_form(self, form: Mapping[str, str], **headers: str) -> httpx.Response:
        return await self.browser.post(self.path, data=form, headers=headers)


def field(session: Session, name: str, number: int = 1) -> str:
    """The name of an input in the form."""
    return f"{session.files[number - 1].file_id}/{name}"


def filled_in(session: Session, **changes: str | None) -> dict[str, str | None]:
    """What Ada fills in when she does everything right."""
    return {
        field(session, "address"): "12 Harbour Street",
        field(session, "schedule"): "true",
        "signatureText": "Ada Lovelace",
        "consent": CONSENT_VERSION,
        **changes,
    }
