"""What a client calls a session: an external id, which may be unique, and metadata."""

import asyncio
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.certificate import compose
from application.certificate_evidence import CertificateFacts, evidence_of
from application.schemas.session_list import SessionListQuery
from domain.callbacks.callback import callbacks_of
from domain.session.materials import Materials
from tests.api.mcp.assistant import done, refused
from tests.api.service import OWN as OWNER
from tests.api.service import STRANGER, Service, bearer, session_request
from tests.api.templates import create_from, make, use
from tests.builders import ORGANISATION, audit, created
from tests.web.desk import Desk, filled_in


@pytest.fixture
def desk() -> Desk:
    return Desk()


OWN: dict[str, Any] = {"externalId": "order-7", "metadata": {"customer": "Northwind", "a b[c]": "50 % & more = ü"}}


async def listed(service: Service, query: str) -> list[str]:
    answer = await service.http().get(f"/api/v1/Sessions?{query}")
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["pagination"]["total"] == len(found["sessions"])
    return sorted(one["sessionId"] for one in found["sessions"])


async def test_they_are_returned_and_listed(service: Service) -> None:
    made = await service.create(**OWN)
    plain = await service.create()

    read = (await service.http().get(f"/api/v1/Session/{made['sessionId']}")).json()
    (first, second) = (await service.http().get("/api/v1/Sessions")).json()["sessions"]

    for shown in (made, read, next(one for one in (first, second) if one["sessionId"] == made["sessionId"])):
        assert (shown["externalId"], shown["metadata"]) == (OWN["externalId"], OWN["metadata"])
    assert (plain["externalId"], plain["metadata"]) == (None, {})


async def test_sessions_are_found_by_them(service: Service) -> None:
    made = await service.create(**OWN)
    other = await service.create(externalId="order-8", metadata={"customer": "Northwind", "kind": "lease"})
    await service.create()
    both = sorted([made["sessionId"], other["sessionId"]])

    assert await listed(service, "externalId=order-7") == [made["sessionId"]]
    assert await listed(service, "externalId=order-") == []
    assert await listed(service, "metadata[customer]=Northwind") == both
    assert await listed(service, "metadata%5Bcustomer%5D=Northwind&metadata[kind]=lease") == [other["sessionId"]]
    assert await listed(service, "metadata[customer]=Northwind&metadata[kind]=sale") == []
    assert await listed(service, f"metadata[{quote('a b[c]')}]={quote('50 % & more = ü')}") == [made["sessionId"]]
    assert await listed(service, "metadata[externalId]=order-7") == []
    assert await listed(service, "metadata[customer]=Northwind&status=draft&sortBy=name&name=consulting") == both
    answer = await service.http(STRANGER).get("/api/v1/Sessions?externalId=order-7")
    assert answer.json()["sessions"] == []


@pytest.mark.parametrize(
    "query",
    [
        "metadata=Northwind", "metadata[]=x", "metadata[customer]=a&metadata[customer]=b", f"metadata[{'k' * 41}]=x",
        f"metadata[k]={'v' * 501}", "name[x]=y", "externalid=order-7", "externalId=", f"externalId={'x' * 201}",
        'metadata={"a":"b"}', "externalId=a&externalId=b", "metadata[a%00]=b",
    ],
)  # fmt: skip
async def test_what_finds_nothing_by_mistake_is_refused(service: Service, query: str) -> None:
    answer = await service.http().get(f"/api/v1/Sessions?{query}")
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    assert len(answer.json()["issues"]) >= 1


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"externalId": ""}, "/externalId"), ({"externalId": "  "}, "/externalId"),
        ({"externalId": "x" * 201}, "/externalId"), ({"externalId": 7}, "/externalId"),
        ({"externalId": "a\nb"}, "/externalId"), ({"externalIdUnique": True}, "/externalIdUnique"),
        ({"externalIdUnique": True, "externalId": None}, "/externalIdUnique"),
        ({"metadata": {str(number): "" for number in range(21)}}, "/metadata"),
        ({"metadata": {"k": "v" * 501}}, "/metadata/k"), ({"metadata": {"k": 7}}, "/metadata/k"),
        ({"metadata": {"k": None}}, "/metadata/k"), ({"metadata": []}, "/metadata"), ({"metadata": None}, "/metadata"),
        *(({"metadata": {key: "x"}}, "/metadata") for key in ("", "k" * 41, " ", "a\x00b")),
    ],
)  # fmt: skip
async def test_what_is_too_long_or_no_text_is_refused(service: Service, members: dict[str, Any], path: str) -> None:
    answer = await service.http().post("/api/v1/Session", json=session_request(**members))
    assert answer.status_code == 400
    paths = [issue["path"] for issue in answer.json()["issues"]]
    assert path in paths or (path == "/metadata" and paths[0].startswith("/metadata/"))


async def test_the_longest_are_taken_and_found(service: Service) -> None:
    key, value, own = "ü" * 40, "😀" * 500, "é" * 200
    made = await service.create(externalId=own, metadata={key: value, **{str(number): "" for number in range(19)}})

    assert await listed(service, f"externalId={quote(own)}") == [made["sessionId"]]
    assert await listed(service, f"metadata[{quote(key)}]={quote(value)}") == [made["sessionId"]]
    assert await listed(service, "metadata[7]=") == [made["sessionId"]]


async def test_a_unique_id_is_used_once_and_refusals_name_the_session(service: Service) -> None:
    unique = {"externalId": "order-7", "externalIdUnique": True}
    made = await service.create(**unique)

    answer = await service.http().post("/api/v1/Session", json=session_request(**unique))

    body = answer.json()
    assert (answer.status_code, body["error"], body["sessionId"]) == (409, "EXTERNAL_ID_TAKEN", made["sessionId"])
    elsewhere = await service.http(STRANGER).post("/api/v1/Session", json=session_request(**unique))
    assert elsewhere.status_code == 200
    await service.create(externalId="order-7")  # one that does not claim it
    assert len(await listed(service, "externalId=order-7")) == 2


async def test_a_unique_id_is_free_after_permanent_deletion(service: Service) -> None:
    unique = {"externalId": "order-7", "externalIdUnique": True}
    made = await service.create(**unique, metadata={"a": "b"})
    address = f"/api/v1/Session/{made['sessionId']}"

    await service.http().delete(address)
    archived = await service.http().post("/api/v1/Session", json=session_request(**unique))
    await service.http().delete(f"{address}?permanent=true")
    deleted = await service.http().post("/api/v1/Session", json=session_request(**unique))

    assert (archived.status_code, deleted.status_code) == (409, 200)
    assert await listed(service, "metadata[a]=b") == []


async def test_of_many_at_once_one_gets_it(service: Service) -> None:
    body = session_request(externalId="order-7", externalIdUnique=True)

    answers = await asyncio.gather(*(service.http().post("/api/v1/Session", json=body) for _ in range(5)))

    made = [answer.json()["sessionId"] for answer in answers if answer.status_code == 200]
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert (len(made), len(refused)) == (1, 4)
    assert {body["sessionId"] for body in refused} == set(made)
    assert await listed(service, "externalId=order-7") == made


async def test_the_same_request_with_its_key_is_no_second_one(service: Service) -> None:
    body = session_request(externalId="order-7", externalIdUnique=True)
    headers = {**bearer(OWNER), "Idempotency-Key": "once"}

    answers = [await service.http(None).post("/api/v1/Session", json=body, headers=headers) for _ in range(2)]

    assert answers[0].json() == answers[1].json()


async def test_the_feed_has_them_and_histories_do_not(service: Service) -> None:
    made = await service.create(**OWN)
    await service.create()

    feed = (await service.http().get("/api/v1/Events")).json()["events"]
    history = (await service.http().get(f"/api/v1/Session/{made['sessionId']}/Events")).text

    of_it = next(event for event in feed if event["sessionId"] == made["sessionId"])
    of_other = next(event for event in feed if event["sessionId"] != made["sessionId"])
    assert (of_it["externalId"], of_it["metadata"]) == (OWN["externalId"], OWN["metadata"])
    assert (of_other["externalId"], of_other["metadata"]) == (None, {})
    assert not any(text in history for text in ("order-7", "Northwind", "customer"))


def test_callbacks_have_them() -> None:
    marked = {"callback_url": "https://example.com/", "external_id": "order-7", "metadata": {"customer": "Northwind"}}
    bodies = []
    for settings in (marked, {"callback_url": "https://example.com/"}):
        session = created(**settings).session
        sent = session.send(audit())
        (callback,) = callbacks_of(session, sent.session, sent.events)
        bodies.append(callback.body)
    assert '"externalId":"order-7","metadata":{"customer":"Northwind"}' in bodies[0]
    assert "externalId" not in bodies[1]
    assert "metadata" not in bodies[1]


texts = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=40)


@given(st.dictionaries(texts.filter(lambda text: bool(text.strip(" []"))), texts, max_size=5))
def test_any_key_and_value_is_asked_for_as_it_was_given(metadata: dict[str, str]) -> None:
    try:
        direct = SessionListQuery.model_validate({"metadata": metadata})
    except ValueError:  # a key of invisible characters
        return
    from_address = SessionListQuery.model_validate({f"metadata[{key}]": value for key, value in metadata.items()})

    assert direct.query() == from_address.query()
    assert len(direct.query().labels) == len(metadata)


async def test_no_recipient_is_shown_them(desk: Desk) -> None:
    own: dict[str, Any] = {"external_id": "order-7", "metadata": {"customer": "Quixotic"}}
    session = await desk.send(name="Lease", **own)
    ada = await desk.come_in(session)
    shown = [(await ada.browser.get(desk.link(session))).text, (await ada.browser.get(ada.path)).text]
    shown.append((await ada.post({**filled_in(session), "act": "review"})).text)
    await ada.post(filled_in(session))
    shown.append((await ada.browser.get(ada.path)).text)
    now = desk.session(session)
    facts = CertificateFacts(now, await desk.rows.events(ORGANISATION, now.session_id), "1", "https://example.com/")
    shown += [evidence_of(facts).to_bytes().decode(), str(compose(facts)), str(Materials.of(now, now.files[0]))]

    assert (now.external_id, now.metadata) == ("order-7", {"customer": "Quixotic"})
    assert not any(text in page for page in shown for text in ("order-7", "Quixotic"))


async def test_sessions_from_templates_and_those_of_tools_have_them_too(service: Service) -> None:
    unique = {**OWN, "externalIdUnique": True}
    session = await create_from(service, await make(service), **unique)
    by_tool = {**session_request(), **unique}

    refused_by_template = await use(service, await make(service), **unique)
    body = await refused(service, "create_session", by_tool)
    listed_by_tool = await done(service, "list_sessions", {"metadata": OWN["metadata"], "externalId": "order-7"})

    assert (session["externalId"], session["metadata"]) == (OWN["externalId"], OWN["metadata"])
    for answer in (refused_by_template.json(), body):
        assert (answer["error"], answer["sessionId"]) == ("EXTERNAL_ID_TAKEN", session["sessionId"])
    assert refused_by_template.status_code == 409
    assert [one["sessionId"] for one in listed_by_tool["sessions"]] == [session["sessionId"]]


async def test_metadata_is_asked_for_by_key_and_value_too(service: Service) -> None:
    both = [await service.create(metadata={"customer": "Northwind", "time": at}) for at in ("10:30", "11:30")]
    ids = {made["sessionId"] for made in both}

    assert set(await listed(service, "metadata=customer:Northwind")) == ids
    assert await listed(service, "metadata=customer:Northwind&metadata=time:10:30") == [both[0]["sessionId"]]
    assert await listed(service, "metadata=customer:Northwind&metadata[time]=11:30") == [both[1]["sessionId"]]
    assert await listed(service, "metadata=customer:Southwind") == []
    for wrong in ("metadata=a:b&metadata=a:c", "metadata=:b", f"metadata={'k' * 41}:x", f"metadata=k:{'v' * 501}"):
        answer = await service.http().get(f"/api/v1/Sessions?{wrong}")
        assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST"), wrong
