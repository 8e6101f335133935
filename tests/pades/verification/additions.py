"""What people who mean harm add to a sealed PDF and have look like evidence. Each is for one document of two pages.

A prepared document waits for what is added: it names objects that are not there yet, or uses one object twice.
"""

import re
from collections.abc import Callable
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name

from tests.pades.verification.incremental_updates import Form, Written, usual_form, with_update
from tests.pades.verification.prepared_documents import certificate, drawing_certificate

_BOX = b"/Rect [60 400 460 460]"
_DRAWN = b"<</Type/XObject/Subtype/Form/BBox [0 0 400 60]/Length 26>>\nstream\n1 0 0 rg 0 0 400 60 re f  \nendstream"
_WIDGET = b"/FT/Sig/Type/Annot/Subtype/Widget/F 132"


class Opened:
    """A sealed PDF as an attacker sees it: its objects as they are written, by number."""

    def __init__(self, pdf: bytes) -> None:
        self.pdf = pdf
        with pikepdf.open(BytesIO(pdf)) as opened:
            root, page = opened.Root, opened.pages[0]
            self.size = int(opened.trailer.Size)
            self.root, self.page, self.form = root.objgen[0], page.objgen[0], root.AcroForm.objgen[0]
            self.seal_field = next(one.objgen[0] for one in root.AcroForm.Fields if one.T == "Seal")
            self.seal = root.Perms.DocMDP.objgen[0]
            contents = page.get(Name.Contents)
            self.content = contents.objgen[0] if isinstance(contents, pikepdf.Stream) else 0
            self._written = {
                one.objgen[0]: one.unparse(resolved=True)
                for one in opened.objects
                if not isinstance(one, pikepdf.Stream)
            }

    def with_entry(self, number: int, entry: bytes) -> bytes:
        return self._written[number].replace(b"<<", b"<< " + entry + b" ", 1)

    def with_item(self, number: int, key: bytes, item: int) -> bytes:
        """An object with one reference more in the array under `key`."""
        return re.sub(key + rb" \[([^\]]*)\]", key + rb" [\g<1> %d 0 R ]" % item, self._written[number], count=1)

    def with_field(self, entries: bytes, *more: tuple[int, bytes]) -> dict[int, bytes]:
        """The objects of an update that adds a field with these entries to the form and the first page."""
        field = b"<<%b/P %d 0 R%b>>" % (_WIDGET, self.page, entries)
        return {
            self.page: self.with_item(self.page, b"/Annots", self.size),
            self.form: self.with_item(self.form, b"/Fields", self.size),
            self.size: field,
            **dict(more),
        }

    def with_store(self, number: int, store: int, entries: bytes = b"", held: bytes | None = None) -> dict[int, bytes]:
        """The objects of an update that adds a certificate as `number`, and a store of it."""
        held = certificate() if held is None else held
        return {
            self.root: self.with_entry(self.root, b"/DSS %d 0 R" % store),
            store: b"<</Certs [%d 0 R]>>" % number,
            number: b"<</Length %d%b>>\nstream\n%b\nendstream" % (len(held), entries, held),
        }

    def updated(self, objects: dict[int, bytes], form: Form | None = None) -> bytes:
        return with_update(self.pdf, Written(objects, form or usual_form(self.pdf)))


def _field_of_indirect_size(sealed: Opened) -> bytes:
    """Its size is in other objects: what does not resolve them takes it for none."""
    at = sealed.size + 1
    corners = {at + number: b"%d" % place for number, place in enumerate((60, 400, 460, 460))}
    named = b" ".join(b"%d 0 R" % number for number in corners)
    look = b"/T(Timestamp)/Rect [%b]/AP<</N %d 0 R>>" % (named, at + 4)
    return sealed.updated(sealed.with_field(look, *corners.items(), (at + 4, _DRAWN)))


def _field_with_a_look(sealed: Opened) -> bytes:
    look = b"/T(Timestamp)/AP<</N %d 0 R>>%b" % (sealed.size + 1, _BOX)
    return sealed.updated(sealed.with_field(look, (sealed.size + 1, _DRAWN)))


def _field_with_an_unused_look(sealed: Opened) -> bytes:
    look = b"/T(Timestamp)/AP<</N %d 0 R>>/Rect [0 0 0 0]" % (sealed.size + 1)
    return sealed.updated(sealed.with_field(look, (sealed.size + 1, _DRAWN)))


def _laundered(sealed: Opened) -> bytes:
    """What a field shows is named by a certificate in the store, as if it were needed there."""
    at = sealed.size + 2
    store = sealed.with_store(at, at + 1, b"/X %d 0 R" % (sealed.size + 1))
    look = b"/T(Timestamp)/AP<</N %d 0 R>>%b" % (sealed.size + 1, _BOX)
    return sealed.updated({**store, **sealed.with_field(look, (sealed.size + 1, _DRAWN))})


def _seal_with_a_look(sealed: Opened) -> bytes:
    """The seal's own field gets room, and something to show."""
    field = sealed.with_entry(sealed.seal_field, b"/AP<</N %d 0 R>>" % sealed.size).replace(b"/Rect [ 0 0 0 0 ]", _BOX)
    return sealed.updated({sealed.seal_field: field, sealed.size: _DRAWN})


def _values_drawn_anew(sealed: Opened) -> bytes:
    """Readers are asked to draw the values of fields, not what the fields show."""
    store = sealed.with_store(sealed.size, sealed.size + 1)
    return sealed.updated({**store, sealed.form: sealed.with_entry(sealed.form, b"/NeedAppearances true")})


def _table_in_place_of_content(sealed: Opened) -> bytes:
    """The stream that says where objects are has the number of the page's content."""
    file = sealed.updated(sealed.with_store(sealed.size, sealed.size + 1), Form.STREAM)
    head, found, tail = file.rpartition(b"%d 0 obj\n<</Type/XRef" % (sealed.size + 2))
    return head + found.replace(b"%d 0 obj" % (sealed.size + 2), b"%d 0 obj" % sealed.content, 1) + tail


def _key_twice(sealed: Opened) -> bytes:
    store = sealed.with_store(sealed.size, sealed.size + 1)
    root = store[sealed.root]
    return sealed.updated({**store, sealed.root: root[:-2] + b"/Pages %d 0 R>>" % sealed.page})


def _unlisted_object(sealed: Opened) -> bytes:
    """Readers that look for objects on their own find another content of the page."""
    hidden = b"%d 0 obj\n<</Length 4>>\nstream\nq Q \nendstream\nendobj\n" % sealed.content
    objects = sealed.with_store(sealed.size, sealed.size + 1)
    return with_update(sealed.pdf, Written(objects, usual_form(sealed.pdf), noise=(1, hidden)))


def _object_in_a_certificate(sealed: Opened) -> bytes:
    """As above, inside a stream of the store."""
    held = certificate() + b"\n%d 0 obj\n<<>>\nendobj\n" % sealed.content
    return sealed.updated(sealed.with_store(sealed.size, sealed.size + 1, held=held))


ADDITIONS: dict[str, Callable[[Opened], bytes]] = {
    "a field whose size stands elsewhere": _field_of_indirect_size,
    "a field with a look": _field_with_a_look,
    "a field with a look that has no room": _field_with_an_unused_look,
    "a look that a certificate names": _laundered,
    "a look for the seal itself": _seal_with_a_look,
    "values drawn anew": _values_drawn_anew,
    "a table in place of a content": _table_in_place_of_content,
    "a key that comes twice": _key_twice,
    "an object that no table lists": _unlisted_object,
    "an object in a certificate": _object_in_a_certificate,
}


# Documents that wait for what is added


def waiting_for_content(pdf: bytes) -> bytes:
    """Its page names the object that comes next but two, which will be a certificate of the store."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        page, size = opened.pages[0].obj, int(opened.trailer.Size)
        written, contents = page.unparse(resolved=True), page.Contents.objgen[0]
        number = page.objgen[0]
    named = b"/Contents [%d 0 R %d 0 R]" % (contents, size + 40)
    return with_update(pdf, Written({number: written.replace(b"/Contents %d 0 R" % contents, named)}, usual_form(pdf)))


def waiting_for_another_generation(pdf: bytes) -> bytes:
    """As above, under a generation that readers which do not look at it take for the same."""
    waiting = waiting_for_content(pdf)
    return re.sub(rb"(/Contents \[\d+ 0 R \d+) 0 R", rb"\1 7 R", waiting)


def waiting_for_a_list(pdf: bytes) -> bytes:
    """It has a store with a certificate already, whose list is also that of the contents of its page."""
    output = BytesIO()
    with pikepdf.open(BytesIO(pdf)) as opened:
        page = opened.pages[0].obj
        both = opened.make_indirect(Array([opened.make_stream(certificate())]))
        page.Contents = both
        opened.Root.DSS = opened.make_indirect(Dictionary(Certs=both))
        opened.save(output, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return output.getvalue()


def content_added(sealed: Opened, number: int) -> bytes:
    """A store with a certificate that draws, under the number for which the page waits."""
    return sealed.updated(sealed.with_store(number, number + 1, held=drawing_certificate()))


def list_extended(sealed: Opened) -> bytes:
    """A certificate that draws, put into the list that is there."""
    with pikepdf.open(BytesIO(sealed.pdf)) as opened:
        listed = opened.Root.DSS.Certs
        number, written = listed.objgen[0], listed.unparse(resolved=True)
    held = drawing_certificate()
    stream = b"<</Length %d>>\nstream\n%b\nendstream" % (len(held), held)
    return sealed.updated({number: written[:-1] + b"%d 0 R ]" % sealed.size, sealed.size: stream})
