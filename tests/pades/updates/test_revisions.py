"""What was sealed, as an update finds it: a document that was prepared to be taken for another is refused."""

import re
from collections.abc import Callable
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Pdf

from pades.updates.check_updates import check_updates
from tests.fakes.seals import KEYS
from tests.pades.genuine_updates import Genuine, assert_refused, sealed_pages, second_store, taken_apart
from tests.pades.verification.incremental_updates import Written, usual_form, with_update
from tests.pades.verification.sealed_files import pages, sealed, with_document_timestamp, with_revocations
from tests.pades.verification.test_verify_file import CLOCK, NOW


def _prepared(prepare: Callable[[Pdf], None]) -> bytes:
    """A sealed document of two pages in which something was written otherwise before it was sealed."""
    output = BytesIO()
    with pikepdf.open(BytesIO(pages())) as opened:
        prepare(opened)
        opened.save(output, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return sealed(output.getvalue())


def _annotations_in_an_object(opened: Pdf) -> None:
    opened.pages[0].obj.Annots = opened.make_indirect(Array())


def test_a_list_that_stands_in_an_object_of_its_own_takes_a_field() -> None:
    before = _prepared(_annotations_in_an_object)
    genuine = taken_apart(before, with_document_timestamp(before, CLOCK.stamper(NOW)))
    assert any(body.startswith(b"[") for body in genuine.objects.values())
    check_updates(genuine.pdf(), len(before))


def test_a_list_of_its_own_that_becomes_a_stream_is_refused() -> None:
    before = _prepared(_annotations_in_an_object)
    genuine = taken_apart(before, with_document_timestamp(before, CLOCK.stamper(NOW)))
    (number,) = (number for number, body in genuine.objects.items() if body.startswith(b"["))
    stream = genuine.having({number: b"<</Length 0>>\nstream\n\nendstream"})
    assert_refused(before, stream.pdf(), "the first items of an array are changed")


def test_a_list_of_its_own_that_stays_as_it_was_shows_no_field() -> None:
    before = _prepared(_annotations_in_an_object)
    genuine = taken_apart(before, with_document_timestamp(before, CLOCK.stamper(NOW)))
    kept = {number: body for number, body in genuine.objects.items() if not body.startswith(b"[")}
    assert_refused(before, Genuine(before, kept).pdf(), "it changes a page object")


def _annotations_of_another_kind(opened: Pdf) -> None:
    opened.pages[1].obj.Annots = Dictionary()


def test_a_field_on_a_page_whose_annotations_are_no_list_is_refused() -> None:
    before = _prepared(_annotations_of_another_kind)
    genuine = taken_apart(before, with_document_timestamp(before, CLOCK.stamper(NOW)))
    with pikepdf.open(BytesIO(before)) as opened:
        page = opened.pages[1].objgen[0]
    field = genuine.number(b"/T (Timestamp")
    first = genuine.number(b"/Annots")
    moved = genuine.changed(b"/P %d 0 R" % first, b"/P %d 0 R" % page)
    kept = {number: body for number, body in moved.objects.items() if number != first}

    assert field in kept
    assert_refused(before, Genuine(before, kept).pdf(), "a value is not an array")


def _with_metadata_of_another_kind() -> bytes:
    with pikepdf.open(BytesIO(pages())) as opened:
        root, number = opened.Root.objgen[0], int(opened.trailer.Size)
        catalogue = re.sub(rb"/Metadata \d+ 0 R", b"/Metadata %d 0 R" % number, opened.Root.unparse(resolved=True))
    objects = {root: catalogue, number: b"<</Type /Metadata>>"}
    return sealed(with_update(pages(), Written(objects, usual_form(pages()))))


def test_metadata_in_place_of_something_else_are_refused() -> None:
    before = _with_metadata_of_another_kind()
    with pikepdf.open(BytesIO(before)) as opened:
        number = opened.Root.Metadata.objgen[0]
        assert not isinstance(opened.Root.Metadata, pikepdf.Stream)
    packet = b"<</Type /Metadata /Subtype /XML /Length 1>>\nstream\n7\nendstream"
    genuine = taken_apart(before, with_revocations(before, KEYS.authority)).having({number: packet})
    assert_refused(before, genuine.pdf(), "replaces the metadata stream")


def test_information_may_be_new_and_stand_in_an_object_of_its_own() -> None:
    before = _prepared(lambda opened: opened.trailer.__delitem__("/Info"))
    genuine = taken_apart(before, with_document_timestamp(before, CLOCK.stamper(NOW)))
    check_updates(genuine.pdf(), len(before))


def test_a_third_revision_is_held_against_the_second() -> None:
    genuine = second_store()
    check_updates(genuine.pdf(), len(sealed_pages()))
    assert_refused(sealed_pages(), genuine.changed(b"/Lang (en)", b"/Lang (fr)").pdf(), "changes dictionary entries")
