"""Every form and call outside `/api/v1`, ready to be sent: what it needs, what it sends, and as whom."""

import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any, NamedTuple

import httpx
from PIL import Image
from sqlalchemy.ext.asyncio import AsyncEngine

from application.operator_tokens import Operator, Operators
from application.services import CodecConfig
from domain.ports.database import User
from domain.session.consent_texts import CONSENT_VERSION
from domain.session.session import Session
from domain.session.signing_links import link_secret, make_token
from domain.shared.ids import SessionId, UserId
from domain.shared.roles import Role
from tests.api.belongings import make_all
from tests.api.oauth.program import VERIFIER, Program
from tests.api.service import BASE_URL, OWN, Service, session_request
from tests.api.templates import template_request
from tests.application.uploads import pdfs
from tests.builders import ORGANISATION, identifier
from tests.fakes.sessions import LINK_KEY
from tests.layout.pictures import encoded, shades
from tests.web.app.office import ADA, Office, Visitor
from tests.web.app.test_batch_pages import FILE, upload
from tests.web.app.test_json_editor import text
from tests.web.app.test_new_session import FILLED, lease
from tests.web.app.test_organisation_page import RECEIVER
from workflows.sdk.payload_codec import EncryptionCodec
from workflows.sdk.payload_keys_setting import new_payload_key, read_payload_keys

IDA = User(UserId(identifier("ida")), ORGANISATION, "ida@northwind.example", "Ida Rhodes", Role.SENDER)
ROBIN = User(UserId(identifier("robin")), ORGANISATION, "robin@northwind.example", "Robin", Role.SENDER)
OPERATORS = Operators(b"o" * 32)
CODEC = CodecConfig(EncryptionCodec(read_payload_keys(new_payload_key())), OPERATORS, frozenset())


@dataclass(frozen=True, slots=True)
class Post:
    """A form in a browser, ready to be posted; `others` are other contents of the request."""

    browser: httpx.AsyncClient
    path: str
    form: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, Any] = field(default_factory=dict)

    async def __call__(self) -> httpx.Response:
        return await self.browser.post(self.path, **({"data": self.form} if self.form else {}), **self.others)


class Place:
    """An organisation with one of everything, on a database of its own. Ada administers it, and is signed in."""

    def __init__(self, engine: AsyncEngine | None = None) -> None:
        self.service = Service(engine)
        self.office = Office(self.service)

    async def furnish(self) -> None:
        await self.service.add_organisations()
        await self.office.seed()
        for user in (IDA, ROBIN):
            await self.service.users.add(user)
        made = await make_all(self.service, OWN)
        self.things = {
            "session_id": made["sessionId"], "recipient_id": made["recipientId"], "event_id": made["eventId"],
            "template_id": made["templateId"], "batch_id": made["batchId"], "client_id": OWN.client_id,
            "user_id": IDA.user_id,
        }  # fmt: skip
        self.ada = await self.office.come_in(ADA)

    async def draft(self) -> None:
        self.things["session_id"] = (await self.service.create())["sessionId"]

    async def send(self, **changes: Any) -> Session:
        made = await self.service.create(sendImmediately=True, **changes)
        return self.service.sessions.held[SessionId(made["sessionId"])]

    def link(self, session: Session) -> str:
        """The path of the link of the first recipient."""
        person = session.recipients[0]
        secret = link_secret(LINK_KEY, session.session_id, person.recipient_id, person.invitation.number)
        return f"/sign/{make_token(session.organisation_id, session.session_id, secret)}"

    async def signing_url(self, session: Session) -> str:
        path = f"/api/v1/Session/{session.session_id}/Recipient/{session.recipients[0].recipient_id}/SigningUrl"
        return str((await self.service.http().post(path, json={})).json()["url"]).removeprefix(BASE_URL)

    def code(self) -> str:
        """The code in the latest mail."""
        return re.findall(r"\b\d{6}\b", self.service.mailer.sent[-1].subject)[0]

    async def open_documents(self, **changes: Any) -> Visitor:
        """The first recipient of a new session, with the documents open."""
        browser = self.office.browser()
        opened = await browser.post(self.link(await self.send(**changes)))
        assert opened.status_code == httpx.codes.SEE_OTHER, opened.text
        self.path = opened.headers["location"].partition("?")[0]
        return Visitor(browser)

    async def send_form(self, visitor: Visitor, at: str, entered: Mapping[str, Any], on: str = "") -> Post:
        """Opens the page `on`, and returns its form, which is posted to `at`."""
        form = {**(await visitor.look(on or at)).form(), **entered}
        return Post(visitor.browser, at, form)


class Form(NamedTuple):
    """A form of the app: what is entered, on which page, after which others, and how often it may take effect.

    `is_refused`: it needs a run, a callback or a receiver, which only whole installations have.
    """

    entered: Mapping[str, Any] = {}
    on: str = "/app/organisation"
    before: tuple[str, ...] = ()
    is_refused: bool = False

    async def prepare(self, place: Place, path: str) -> Post:
        for earlier in self.before:
            if earlier == "draft":
                await place.draft()
            else:
                done = await (await APP_FORMS[earlier].prepare(place, earlier))()
                assert done.status_code < httpx.codes.BAD_REQUEST, done.text
        entered = {name: value(place) if callable(value) else value for name, value in self.entered.items()}
        token = {"form": (await place.ada.look(self.on.format(**place.things))).form()["form"]}
        at = path.format(**place.things)
        return Post(place.ada.browser, at, {**token, **entered})


class File(NamedTuple):
    """A form of the app with a file."""

    content: tuple[str, bytes, str]
    is_refused: bool = False

    async def prepare(self, place: Place, path: str) -> Post:
        token = {"form": (await place.ada.look("/app/organisation")).form()["form"]}
        at = path.format(**place.things)
        return Post(place.ada.browser, at, token, {"files": {"file": self.content}})


class Call(NamedTuple):
    """A call that `ready` prepares. Calls of strangers may take effect as often as they come: `times`."""

    ready: Callable[[Place], Awaitable[Post]]
    times: int = 1
    is_refused: bool = False

    async def prepare(self, place: Place, _: str) -> Post:
        return await self.ready(place)


SESSION, RECIPIENT = "/app/sessions/{session_id}", "/app/sessions/{session_id}/recipients/{recipient_id}"
TEMPLATE, BATCH = "/app/templates/{template_id}", "/app/batches/{batch_id}"
ORG = "/app/organisation"
USER, CLIENT = f"{ORG}/users/{{user_id}}", f"{ORG}/clients/{{client_id}}"
CHOSEN = {"session": lambda place: [place.things["session_id"]]}
CORRECTED = {"/name": "Ada Byron", "/email": "ada@right.example"}
EDITED = {
    "/name": "Rent", "/recipientVerification": "none", "/recipients/0/key": "ada", "/recipients/0/name": "Ada",
    "/recipients/0/email": "ada@right.example", "/recipients/0/signingOrder": "1", "/reminderFrequency": "off",
}  # fmt: skip
SAVED = {"body": text(template_request(name="Next")), "do": "create"}
LOGO = ("logo.png", encoded(shades(30, 30)), "image/png")
NAMED = {"name": "Consulting agreement"}


async def _new_session(place: Place) -> Post:
    return await place.send_form(place.ada, await lease(place.office), FILLED)


async def _new_batch(place: Place) -> Post:
    template_id = (await lease(place.office)).rpartition("/")[2]
    (file,) = re.findall(r'name="file" value="([^"]*)"', await upload(place.ada, template_id, FILE))
    path = f"/app/batches/new/{template_id}"
    return await place.send_form(place.ada, path, {"file": file, "name": "July", "per_minute": "60"})


async def _batch_preview(place: Place) -> Post:
    template_id = (await lease(place.office)).rpartition("/")[2]
    token = {"form": (await place.ada.look("/app/organisation")).form()["form"]}
    file = {"file": ("leases.csv", FILE.encode())}
    return Post(place.ada.browser, f"/app/batches/preview/{template_id}", token, {"files": file})


async def _consent(place: Place) -> Post:
    program = await Program(place.office).register()
    entered = {"scope": ["read:sessions"], "per_day": "20", "domains": "", "decision": "allow"}
    return await place.send_form(place.ada, program.question(), entered)


async def _end_program(place: Place) -> Post:
    await (await Program(place.office).register()).connect(place.ada)
    clients = await place.service.organisations.list_clients(ORGANISATION)
    entered = {"client": next(one.client_id for one in clients if one.created_by == ADA.user_id)}
    return await place.send_form(place.ada, "/app/organisation/end", entered, on="/app/organisation")


async def _invited(place: Place) -> None:
    await place.ada.press(f"{ORG}/users/new", name="Joan", email="joan@x.example", role="sender")
    users = await place.service.users.list(ORGANISATION)
    place.things["user_id"] = next(user.user_id for user in users if user.is_pending)


async def _rotate_secret(place: Place) -> Post:
    page = CLIENT.format(**place.things)
    return await place.send_form(place.ada, f"{page}/rotate", {"end_tokens": "on"}, on=page)


async def _rotate_webhook_secret(place: Place) -> Post:
    page = f"{ORG}/webhooks"
    await place.ada.press(f"{page}/secret")
    return await place.send_form(place.ada, f"{page}/secret/rotate", {}, on=page)


def _to_invited(act: str) -> Callable[[Place], Awaitable[Post]]:
    async def ready(place: Place) -> Post:
        await _invited(place)
        return await Form().prepare(place, f"{USER}/{act}")

    return ready


APP_FORMS: dict[str, Form | File | Call] = {
    **{f"/app/bulk/{act}": Form(CHOSEN) for act in ("archive", "remind")},
    "/app/bulk/restore": Form(CHOSEN, before=("/app/bulk/archive",)),
    f"{SESSION}/send": Form(before=("draft",)),
    f"{RECIPIENT}/invite": Form(),
    f"{SESSION}/archive": Form({"confirmed": "1", "reason": "A mistake."}),
    f"{SESSION}/restore": Form({"confirmed": "1", "invite": "yes"}, before=(f"{SESSION}/archive",)),
    f"{SESSION}/duplicate": Form(),
    f"{SESSION}/delete": Form(NAMED),
    f"{SESSION}/callbacks/{{event_id}}/redeliver": Form(is_refused=True),
    f"{SESSION}/resume": Form(),
    f"{SESSION}/edit": Form(EDITED, before=("draft",)),
    f"{RECIPIENT}/correct": Form(CORRECTED),
    f"{RECIPIENT}/remind": Form(),
    f"{SESSION}/remind": Form(),
    f"{SESSION}/schedule": Form({"never": "1", "/reminderFrequency": "off"}),
    f"{RECIPIENT}/sign-here": Form({"way": "link"}),
    "/app/new/json": Form({"body": text(session_request()), "do": "create"}),
    "/app/new/json/preview": Form({"body": text(session_request())}),
    "/app/new/{template_id}": Call(_new_session),
    "/app/batches/preview/{template_id}": Call(_batch_preview),
    "/app/batches/new/{template_id}": Call(_new_batch),
    f"{BATCH}/cancel": Form(),
    f"{BATCH}/pause": Form(is_refused=True),
    f"{BATCH}/resume": Form(is_refused=True),
    f"{BATCH}/delete": Form(before=(f"{BATCH}/cancel",)),
    "/app/templates/new": Form({"body": text(template_request()), "do": "create"}),
    "/app/templates/preview": Form({"body": text(template_request())}),
    f"{TEMPLATE}/edit": Form(SAVED),
    f"{TEMPLATE}/activate": Form(before=(f"{TEMPLATE}/edit",)),
    f"{TEMPLATE}/discard": Form(before=(f"{TEMPLATE}/edit",)),
    f"{TEMPLATE}/duplicate": Form(),
    f"{TEMPLATE}/rename": Form({"name": "Rent"}),
    f"{TEMPLATE}/archive": Form(),
    f"{TEMPLATE}/restore": Form(before=(f"{TEMPLATE}/archive",)),
    f"{TEMPLATE}/delete": Form(),
    "/app/authorize": Call(_consent, times=2),
    f"{ORG}/end": Call(_end_program),
    f"{ORG}/users/new": Form({"name": "Joan", "email": "joan@x.example", "role": "sender"}),
    USER: Form({"name": "Ida Smith", "role": "viewer"}),
    f"{USER}/disable": Form(),
    f"{USER}/enable": Form(before=(f"{USER}/disable",)),
    f"{USER}/invite": Call(_to_invited("invite")),
    f"{USER}/withdraw": Call(_to_invited("withdraw")),
    f"{USER}/sign-ins/end": Form(),
    f"{ORG}/clients/new": Form({"name": "Shop", "scope": "read:sessions"}),
    f"{CLIENT}/scopes": Form({"scope": "read:sessions"}),
    f"{CLIENT}/limit": Form({"per_day": "7", "domains": "example.com"}),
    f"{CLIENT}/rotate": Call(_rotate_secret),
    f"{CLIENT}/revoke": Form(),
    f"{ORG}/webhooks/secret": Form(),
    f"{ORG}/webhooks/secret/rotate": Call(_rotate_webhook_secret),
    f"{ORG}/webhooks/resume": Form({"receiver": RECEIVER}),
    f"{ORG}/webhooks/test": Form({"url": "http://127.0.0.1:9/"}, is_refused=True),
    f"{ORG}/webhooks/redeliver": Form(is_refused=True),
    f"{ORG}/settings": Form({"name": "South", "time_zone": "UTC", "frame_origins": "", "language": ""}),
    f"{ORG}/appearance": Form({"accent": "#0d665f"}),
    f"{ORG}/appearance/logo": File(LOGO),
    f"{ORG}/appearance/logo/remove": Form(),
    "/app/notifications": Form({"kind": "completed"}),
    "/app/sign-ins/end": Form(),
    "/app/sign-out": Form(),
}
"""By path; a path with `{act}` has a form for each act. The code of a consent that no browser follows lapses."""


def _as_recipient(act: str, on: str = "", changes: Mapping[str, Any] = {}, **entered: str) -> Call:
    async def ready(place: Place) -> Post:
        visitor = await place.open_documents(**changes)
        return await place.send_form(visitor, f"{place.path}{act}", entered, on=f"{place.path}{on}")

    return Call(ready)


async def _sign(place: Place) -> Post:
    visitor = await place.open_documents()
    entered = {name: "PO 7" for name in (await visitor.look(place.path)).form() if name.endswith("purchase-order")}
    entered |= {"signatureText": "Ada Lovelace", "consent": CONSENT_VERSION}
    return await place.send_form(visitor, place.path, entered)


async def _photograph(place: Place) -> Post:
    visitor, photograph = await place.open_documents(), BytesIO()
    Image.new("RGB", (40, 20), "white").save(photograph, "PNG")
    return Post(visitor.browser, f"{place.path}/ink", others={"content": photograph.getvalue()})


async def _open_link(place: Place) -> Post:
    browser, link = place.office.browser(), place.link(await place.send())
    return Post(browser, link)


async def _code_of_link(place: Place) -> Post:
    browser, link = place.office.browser(), place.link(await place.send(recipientVerification="emailCode"))
    await browser.post(link)
    return Post(browser, f"{link}/code", {"code": place.code()})


async def _open_url(place: Place) -> Post:
    browser, path = place.office.browser(Origin=BASE_URL), await place.signing_url(await place.send())
    return Post(browser, path)


async def _code_of_url(place: Place) -> Post:
    path = await place.signing_url(await place.send(recipientVerification="emailCode"))
    browser = place.office.browser(Origin=BASE_URL)
    await browser.post(path)
    return Post(browser, f"{path}/code", {"code": place.code()})


async def _verify(place: Place) -> Post:
    file = {"file": ("terms.pdf", pdfs.pdf(), "application/pdf")}
    return Post(place.office.browser(), "/verify", others={"files": file})


async def _ask_for_link(place: Place) -> Post:
    return Post(place.office.browser(), "/app/sign-in", {"email": ADA.email})


async def _use_link(place: Place) -> Post:
    await (await _ask_for_link(place))()
    link = place.office.mailed_link()
    return Post(place.office.browser(), link, {"user": ADA.user_id})


async def _register(place: Place) -> Post:
    members = {"redirect_uris": ["https://assistant.example.com/callback"], "client_name": "Assistant"}
    return Post(place.service.http(None), "/oidc/register", others={"json": members})


async def _trade(place: Place) -> Post:
    program = await Program(place.office).register()
    form = {"grant_type": "authorization_code", "client_id": program.client_id, "code": await program.code(place.ada)}
    return Post(program.http, "/oidc/token", {**form, "redirect_uri": program.redirect, "code_verifier": VERIFIER})


async def _revoke(place: Place) -> Post:
    program = await Program(place.office).register()
    form = {"client_id": program.client_id, "token": (await program.connect(place.ada))["refresh_token"]}
    return Post(program.http, "/oidc/revoke", form)


async def _operator(place: Place) -> tuple[httpx.AsyncClient, str]:
    place.service.use(codec=CODEC)
    return place.office.browser(), OPERATORS.token(Operator("Ada", datetime.now(UTC) + timedelta(hours=1)))


async def _operator_signs_in(place: Place) -> Post:
    browser, token = await _operator(place)
    return Post(browser, "/codec", {"token": token})


async def _encode(place: Place) -> Post:
    browser, token = await _operator(place)
    return Post(browser, "/codec/encode", others={"json": {}, "headers": {"Authorization": f"Bearer {token}"}})


async def _decode(place: Place) -> Post:
    browser, token = await _operator(place)
    body = {"payloads": [{"metadata": {"encoding": b64encode(b"json/plain").decode()}, "data": ""}]}
    return Post(browser, "/codec/decode", others={"json": body, "headers": {"Authorization": f"Bearer {token}"}})


APPROVED = {
    "recipients": [
        {"key": "boss", "name": "Grace", "email": "grace@example.com", "role": "approver", "signingOrder": 1},
        {"key": "ada", "name": "Ada", "email": "ada@example.com", "signingOrder": 2},
    ]
}
SIGNING = "/signing/{recipient_id}"
OTHERS: dict[str, Call] = {
    "/oidc/token": Call(_trade),
    "/oidc/revoke": Call(_revoke),
    "/oidc/register": Call(_register, times=2),
    "/codec": Call(_operator_signs_in),
    "/codec/decode": Call(_decode),
    "/codec/encode": Call(_encode),
    "/verify": Call(_verify),
    "/sign/{token}": Call(_open_link),
    "/sign/{token}/code": Call(_code_of_link),
    "/open/{token}": Call(_open_url),
    "/open/{token}/code": Call(_code_of_url),
    SIGNING: Call(_sign),
    f"{SIGNING}/hand": _as_recipient("/hand", signatureText="Ada Lovelace"),
    f"{SIGNING}/ink": Call(_photograph),
    f"{SIGNING}/approve": _as_recipient("/approve", changes=APPROVED),
    f"{SIGNING}/draft": _as_recipient("/draft"),
    f"{SIGNING}/decline": _as_recipient("/decline", on="/decline", reason="Too dear."),
    f"{SIGNING}/delegate": _as_recipient(
        "/delegate", on="/delegate", changes={"delegation": True}, name="Mary", email="m@example.com", reason="Ill."
    ),
    "/app/sign-in": Call(_ask_for_link, times=2),
    "/app/sign-in/{secret}": Call(_use_link),
}
"""The pages of recipients and strangers, and OAuth, by path."""
