"""Generating puts what was submitted onto the pages, once for each file."""

import json
from base64 import b64encode
from io import BytesIO

import pytest
from PIL import Image
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.signed_documents import DocumentActivities
from adapters.sealing.sealer import PadesSealer
from domain.ports.object_store import ObjectDamaged
from domain.ports.seals import SealNotValid
from domain.seal.seal import Identified, Seal, SealLevel
from domain.session.materials import Materials, Signatory
from domain.session.submission import FieldValue, Signature, SignatureKind, SubmittedContent
from domain.shared.ids import FileId, SessionId
from domain.shared.object_names import ObjectReference
from layout.engine import render
from layout.zone import ZONES
from tests.application.uploads import pdfs
from tests.builders import NOON, ORGANISATION, VERIFY_URL, identifier
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.processes import InlinePool
from tests.fakes.seals import KEYS, SEALER, MemoryKeys
from tests.layout.documents import checkbox, document, signature, text_field
from tests.layout.reading import check, images_of, text_of

SESSION = SessionId(identifier("session"))
FILE = FileId(identifier("file"))
OTHER_FILE = FileId(identifier("other file"))


@pytest.fixture
def objects() -> MemoryObjectStore:
    return MemoryObjectStore()


@pytest.fixture
async def materials(objects: MemoryObjectStore) -> Materials:
    return await stored(objects, [typed("client")])


@pytest.mark.poppler
async def test_values_names_dates_and_signatures_of_all_are_on_the_signed_pdf(objects: MemoryObjectStore) -> None:
    materials = await stored(objects, [typed("client", order="PO-7"), drawn("consultant", order="not mine")])

    signed = await generate(objects, materials)

    text = text_of(signed)
    check(signed)
    assert [part for part in ("PO-7", "Client", "Consultant", "12/06/2026", SESSION) if part not in text] == []
    assert "2026-06-12T12:00:00.000Z" in text
    assert "not mine" not in text  # a value for a field of somebody else
    assert images_of(signed)


@pytest.mark.poppler
async def test_a_value_for_another_file_is_not_on_this_one(objects: MemoryObjectStore) -> None:
    content = typed("client", order="PO-7")
    other = FieldValue(file_id=OTHER_FILE, name="order", value="elsewhere")
    materials = await stored(objects, [content.model_copy(update={"values": (other,)})])
    assert "elsewhere" not in text_of(await generate(objects, materials))


@pytest.mark.poppler
async def test_other_entries_give_another_pdf_and_the_first_one_stays(objects: MemoryObjectStore) -> None:
    first, other = [await stored(objects, [typed("client", order=order)]) for order in ("PL61", "DK99")]
    made = await generate(objects, first)
    assert "DK99" in text_of(await generate(objects, other))
    assert await generate(objects, first) == made


async def test_a_pdf_that_was_put_under_the_name_of_another_is_not_taken(objects: MemoryObjectStore) -> None:
    first, other = [await stored(objects, [typed("client", order=order)]) for order in ("PL61", "DK99")]
    await objects.put(other.signed_name, await generate(objects, first), "application/pdf")
    with pytest.raises(ApplicationError, match="generated from other materials"):
        await generate(objects, other)


async def test_the_same_submissions_give_the_same_bytes_up_to_the_seal() -> None:
    one, two = MemoryObjectStore(), MemoryObjectStore()
    first = await generate(one, await stored(one, [drawn("client")]))
    second = await generate(two, await stored(two, [drawn("client")]))
    assert before_the_seal(first) == before_the_seal(second)


async def test_a_second_attempt_returns_the_sealed_document_and_its_level(objects: MemoryObjectStore) -> None:
    materials = await stored(objects, [typed("client", order="first")])
    generating = DocumentActivities(objects, InlinePool(), SEALER, VERIFY_URL)

    tries = [await ActivityEnvironment().run(generating.generate_document, materials) for _ in range(2)]

    assert [made.seal for made in tries] == [Seal(level=SealLevel.B_B, goal=SealLevel.B_B)] * 2
    assert tries[0].signed == tries[1].signed


async def test_without_a_valid_seal_all_pages_and_an_intact_source_nothing_is_stored(
    objects: MemoryObjectStore, materials: Materials
) -> None:
    # its key is under an unknown authority
    untrusted = PadesSealer(MemoryKeys().current, KEYS.trusted, InlinePool())
    generating = DocumentActivities(objects, InlinePool(), untrusted, VERIFY_URL)
    with pytest.raises(SealNotValid, match="unknownAuthority"):
        await ActivityEnvironment().run(generating.generate_document, materials)
    with pytest.raises(ApplicationError, match="has 1 pages, the one sent had 2"):
        await generate(objects, materials.model_copy(update={"page_count": 2}))
    objects.objects[materials.rendered.name] += b"\n"
    with pytest.raises(ObjectDamaged):
        await generate(objects, materials)

    assert materials.signed_name not in objects.objects


def typed(key: str, order: str = "") -> SubmittedContent:
    return submitted(key, Signature(kind=SignatureKind.TYPED, text=key.title()), order)


def drawn(key: str, order: str = "") -> SubmittedContent:
    picture = BytesIO()
    Image.new("RGBA", (60, 20), (0, 0, 80, 255)).save(picture, "PNG")
    png = b64encode(picture.getvalue()).decode()
    return submitted(key, Signature(kind=SignatureKind.DRAWN, png_base64=png), order)


def submitted(key: str, by_hand: Signature, order: str) -> SubmittedContent:
    name = "order" if key == "client" else "of_the_client"
    values = (FieldValue(file_id=FILE, name=name, value=order), FieldValue(file_id=FILE, name="agreed", value="true"))
    return SubmittedContent(recipient_key=key, values=values, signature=by_hand, consent_version="1")


async def stored(objects: MemoryObjectStore, contents: list[SubmittedContent]) -> Materials:
    """A document with inputs of the client and places to sign for two, and who signed."""
    rendered = render(
        document(
            text_field("Order", name="order"),
            checkbox("Agreed", name="agreed"),
            signature("For the client"),
            signature("For the consultant", "consultant"),
        ),
        ["client", "consultant"],
    )
    assert rendered.pdf
    zones = ZONES.dump_json(rendered.zones)
    return Materials(
        organisation_id=ORGANISATION,
        session_id=SESSION,
        file_id=FILE,
        page_count=rendered.page_count,
        zones=await objects.put("zones.json", zones, "application/json"),
        rendered=await objects.put("sent.pdf", rendered.pdf, "application/pdf"),
        signatories=tuple([await signatory(objects, content) for content in contents]),
    )


async def signatory(objects: MemoryObjectStore, content: SubmittedContent) -> Signatory:
    return Signatory(
        key=content.recipient_key,
        name=content.recipient_key.title(),
        email=f"{content.recipient_key}@example.com",
        identified_by=Identified.LINK,
        completed_at=NOON,
        submission=await submission(objects, content),
    )


async def submission(objects: MemoryObjectStore, content: SubmittedContent) -> ObjectReference:
    written = json.dumps(content.model_dump(mode="json"), sort_keys=True).encode()
    return await objects.put(f"submissions/{len(objects.objects)}.json", written, "application/json")


def before_the_seal(pdf: bytes) -> bytes:
    """The first revision."""
    return pdf.partition(b"%%EOF")[0]


async def generate(objects: MemoryObjectStore, materials: Materials) -> bytes:
    generating = DocumentActivities(objects, InlinePool(), SEALER, VERIFY_URL)
    generated = await ActivityEnvironment().run(generating.generate_document, materials)
    return await objects.get(generated.signed)


async def test_an_uploaded_pdf_gets_a_sealed_copy_of_its_own_that_begins_with_what_was_sent(
    objects: MemoryObjectStore,
) -> None:
    rendered = await objects.put("terms.pdf", pdfs.pdf(), "application/pdf")
    terms = (await stored(objects, [])).model_copy(update={"rendered": rendered, "zones": None, "page_count": 7})
    generating = DocumentActivities(objects, InlinePool(), SEALER, VERIFY_URL)

    again = [await ActivityEnvironment().run(generating.generate_document, terms) for _ in range(2)]

    assert again[0] == again[1]
    assert again[0].signed.name == terms.signed_name != rendered.name
    assert (await objects.get(again[0].signed)).startswith(pdfs.pdf())
