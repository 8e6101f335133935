"""What is unusual in the structure of an upload: objects, tables, spellings, page trees; lengths, and other formats."""

import zipfile
from io import BytesIO
from random import Random

from tests.attacks.draft import (
    CONTENT,
    HIDDEN,
    LATER,
    PAGE,
    PAGES,
    ROOT,
    SHOWN,
    Draft,
    changed,
    covering,
    form,
    stream,
    text,
    with_table,
)
from tests.attacks.tricks import honest, trick
from tests.pades.verification.incremental_updates import Form, Written

_SPELLINGS = (
    b"%d +0 R", b"%d -0 R", b"%d 00 R", b"+%d 0 R", b"0%d 0 R", b"%d %%x\n0 R", b"%d\0000\000R", b"%d\x0c0 R",
    b"%d 0%%\nR", b"%d 0 R%%", b"%d 1 R", b"%d +1 R", b"%d 65535 R", b"%d.0 0 R", b"%d 0.0 R", b"%d 0\tR",
)  # fmt: skip
"""Of references. Readers differ about which of them are one."""


@honest("objects in an object stream")
def _packed(draft: Draft, _random: Random) -> None:
    draft.table = Form.PACKED


@honest("a table that is a stream")
def _stream_table(draft: Draft, _random: Random) -> None:
    draft.table = Form.STREAM


@honest("several revisions")
def _revisions(draft: Draft, random: Random) -> None:
    draft.draw(text("Draft", 300))
    written = stream(text("Agreement", 700, 24) + text(SHOWN) + text("Final", 300))
    draft.revisions.append(Written({CONTENT: written}, random.choice((Form.TABLE, Form.HYBRID))))


@honest("attributes that pages inherit")
def _inherited(draft: Draft, _random: Random) -> None:
    draft.pages[b"MediaBox"] = b"[0 0 595 842]"
    draft.pages[b"Rotate"] = b"0"


@honest("a page tree of three levels")
def _deep(draft: Draft, _random: Random) -> None:
    inner = draft.add(b"<</Type/Pages/Parent %d 0 R/Count 1/Kids [%d 0 R]>>" % (PAGES, PAGE))
    draft.pages[b"Kids"] = b"[%d 0 R]" % inner


@trick("a leaf with kids")
def _leaf(draft: Draft, random: Random) -> None:
    draft.page[random.choice((b"Kids", b"K#69ds"))] = random.choice((b"[]", b"null", b"[null]"))


@trick("a leaf of another type")
def _type(draft: Draft, random: Random) -> None:
    draft.page[b"Type"] = random.choice((b"/Pages", b"/Catalog", b"/Template", b"/P#61ge", b"null"))


@trick("a null among the contents")
def _null(draft: Draft, random: Random) -> None:
    more = draft.add(stream(covering()))
    draft.contents = random.choice((b"[null %d 0 R %d 0 R]", b"[%d 0 R null %d 0 R]")) % (CONTENT, more)


@trick("contents that are split inside a token")
def _split(draft: Draft, _random: Random) -> None:
    more = draft.add(stream(b"00) Tj ET\n"))
    draft.draw(b"BT /F1 36 Tf 60 300 Td (EUR 4,8")
    draft.contents = b"[%d 0 R %d 0 R]" % (CONTENT, more)


@trick("two roots")
def _roots(draft: Draft, random: Random) -> None:
    page = draft.add(b"<</Type/Page/MediaBox [0 0 595 842]/Contents %d 0 R>>" % draft.add(stream(covering())))
    other = draft.add(b"<</Type/Catalog/Pages %d 0 R>>" % draft.add(b"<</Type/Pages/Count 1/Kids [%d 0 R]>>" % page))
    draft.trailer += b"/Root %d 0 R" % other
    if random.random() < 0.5:
        draft.trailer = b"/R#6fot %d 0 R" % other


@trick("a wrong count of pages")
def _count(draft: Draft, random: Random) -> None:
    draft.pages[b"Count"] = random.choice((b"0", b"2", b"-1", b"1.0", b"null", b"7 0 R"))


@trick("a page that comes twice, or is no object of its own")
def _kids(draft: Draft, random: Random) -> None:
    direct = b"<</Type/Page/Parent 2 0 R/MediaBox [0 0 595 842]/Contents %d 0 R>>" % CONTENT
    draft.pages[b"Kids"] = random.choice((b"[3 0 R 3 0 R]", b"[null 3 0 R]", b"[%b]" % direct, b"[3 0 R 99 0 R]"))
    draft.pages[b"Count"] = random.choice((b"1", b"2"))


@trick("a table and a stream that say different things")
def _hybrid(draft: Draft, _random: Random) -> None:
    drawn = stream(text("Agreement", 700, 24) + text(HIDDEN))
    draft.revisions.append(Written({CONTENT: drawn}, Form.HYBRID))


@trick("a covering content that is free, at its true place")
def _free_content(draft: Draft, random: Random) -> None:
    number = draft.add(stream(covering()))
    draft.contents = b"[%d 0 R %d 0 R]" % (CONTENT, number)
    draft.free.add(number)
    if random.random() < 0.5:
        draft.later[number] = stream(covering())


@trick("a form that is free, at its true place")
def _free_form(draft: Draft, random: Random) -> None:
    number = draft.add(form(covering()))
    draft.resource(b"XObject", b"Free", b"%d 0 R" % number)
    draft.draw(b"/Free Do\n")
    draft.free.add(number)
    if random.random() < 0.5:
        draft.later[number] = form(covering())


@trick("a glyph that is free, at its true place")
def _free_glyph(draft: Draft, _random: Random) -> None:
    glyph = draft.add(stream(b"500 0 0 0 500 700 d1 0 0 500 700 re f"))
    font = b"/FontBBox [0 0 0 0]/FontMatrix [.001 0 0 .001 0 0]/FirstChar 97/LastChar 97/Widths [500]"
    kind = b"/Type/Font/Subtype/Type3/CharProcs<</a %d 0 R>>/Encoding<</Differences [97/a]>>" % glyph
    draft.resource(b"Font", b"F3", b"%d 0 R" % draft.add(b"<<%b%b>>" % (kind, font)))
    draft.draw(text("aaa", font="F3"))
    draft.free.add(glyph)
    draft.later[glyph] = draft.objects[glyph]


@trick("an odd spelling of a reference")
def _spelled(draft: Draft, random: Random) -> None:
    waits = random.random() < 0.5
    number = LATER if waits else draft.add(form(covering()))
    draft.resource(b"XObject", b"Odd", random.choice(_SPELLINGS) % number)
    draft.draw(b"/Odd Do\n")
    if waits:
        draft.later[number] = form(covering())


@trick("a reference to a later object")
def _dangling(draft: Draft, random: Random) -> None:
    draft.later[LATER] = stream(covering())
    if random.random() < 0.5:
        draft.contents = b"[%d 0 R %d 0 R]" % (CONTENT, LATER)
    else:
        draft.later[LATER] = form(covering())
        draft.resource(b"XObject", b"Later", b"%d 0 R" % LATER)
        draft.draw(b"/Later Do\n")


@trick("a key that comes twice")
def _twice(draft: Draft, random: Random) -> None:
    number = draft.add(stream(covering()))
    draft.page[random.choice((b"C#6fntents", b"#43ontents"))] = b"%d 0 R" % number
    if random.random() < 0.5:
        draft.page[b"MediaBox"] = b"[0 0 595 842]/Contents %d 0 R" % number


@trick("names with escapes")
def _escaped(draft: Draft, random: Random) -> None:
    font = random.choice((b"F#31", b"#46#31", b"F1#00", b"F#311"))
    draft.draw(b"BT /%b 36 Tf 60 300 Td (%b) Tj ET\n" % (font, HIDDEN.encode()))


@trick("an object that comes twice, listed once")
def _listed_once(draft: Draft, random: Random) -> None:
    hidden = b"%d 0 obj\n%b\nendobj\n" % (CONTENT, stream(covering()))
    comment = random.choice((b"", b"%"))
    draft.finish.append(lambda file, _: _inserted(file, b"xref\n0 ", comment + hidden))


def _inserted(file: bytes, mark: bytes, more: bytes) -> bytes:
    """The file with more before its table, whose place is mended."""
    at = file.rindex(mark) if mark in file else len(file)
    return (file[:at] + more + file[at:]).replace(b"startxref\n%d" % at, b"startxref\n%d" % (at + len(more)))


@trick("a stream with a wrong length")
def _length(draft: Draft, random: Random) -> None:
    data = text("Agreement", 700, 24) + text(SHOWN)
    length = random.choice((len(data) + len(covering()), len(data) - 20, 0, 99999))
    draft.objects[CONTENT] = b"<</Length %d>>\nstream\n%b\nendstream\n%b" % (length, data, covering())


@trick("the end of a stream inside it")
def _ended(draft: Draft, _random: Random) -> None:
    data = text("Agreement", 700, 24) + text(SHOWN) + b"%\nendstream\nendobj\n" + covering()
    draft.objects[CONTENT] = stream(data)


@trick("an object of another number at the place of the content")
def _misplaced(draft: Draft, _random: Random) -> None:
    draft.finish.append(changed(b"5 0 obj", b"9 0 obj"))


@trick("objects of another generation")
def _generation(draft: Draft, random: Random) -> None:
    draft.contents = random.choice((b"5 1 R", b"5 0 R"))
    draft.finish.append(changed(b"5 0 obj", b"5 1 obj"))


@trick("a size that leaves objects out")
def _size(draft: Draft, random: Random) -> None:
    draft.show(form(covering()))
    size = max(draft.objects) + 1
    draft.finish.append(changed(b"/Size %d" % size, b"/Size %0*d" % (len(str(size)), random.choice((size - 1, 5)))))


# Lengths


def _shadow(file: bytes, draft: Draft, length: int) -> bytes:
    """A linearised file, which shows another document to readers that find its length right."""
    shadow, first = 40, b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
    entries = b"/Linearized 1/L %010d/H[0 0]/O %d/E 0/N 1/T 0" % (length, shadow + 2)
    objects = {
        39: b"<<%b>>" % entries,
        shadow: b"<</Type/Catalog/Pages 41 0 R>>",
        41: b"<</Type/Pages/Count 1/Kids [42 0 R]>>",
        42: b"<</Type/Page/Parent 41 0 R/MediaBox [0 0 595 842]/Contents 43 0 R/Resources<</Font<</F1 44 0 R>>>>>>",
        43: stream(text("Agreement", 700, 24) + text(HIDDEN)),
        44: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    }
    lin = b"39 0 obj\n%b\nendobj\n" % objects[39]
    kept: list[tuple[int, int]] = []
    for _ in range(2):  # the table comes before the objects that it lists
        rows = b"".join(b"%010d 00000 n \n" % at for _, at in kept) or b"0000000000 00000 n \n" * 6
        table = b"xref\n39 6\n%btrailer\n<</Size 61/Root %d 0 R/ID[<30><30>]>>\nstartxref\n0\n%%%%EOF\n" % (
            rows,
            shadow,
        )
        body, kept = bytearray(first + lin + table), [(39, len(first))]
        for number in range(shadow, 45):
            kept.append((number, len(body)))
            body += b"%d 0 obj\n%b\nendobj\n" % (number, objects[number])
    return with_table(bytes(body), draft.all_objects(), Form.TABLE, draft.free, draft.trailer)


@trick("linearised, with the length that it has")
def _linearised(draft: Draft, _random: Random) -> None:
    draft.finish.append(lambda file, one: _shadow(file, one, len(_shadow(file, one, 0))))


@trick("linearised, with the length that its sealed form has")
def _predicted(draft: Draft, _random: Random) -> None:
    draft.is_predicted = True
    draft.finish.append(lambda file, one: _shadow(file, one, one.length))


@trick("linearised, with a length to come")
def _future(draft: Draft, random: Random) -> None:
    draft.wanted = random.choice((120_000, 180_000))
    draft.finish.append(lambda file, one: _shadow(file, one, one.wanted))


@trick("junk before the header")
def _before(draft: Draft, random: Random) -> None:
    junk = random.choice((b"\n", b"#!/bin/sh\n", b"<html>", b"%PDF-1.3\n", b"PK\x03\x04"))
    draft.finish.append(lambda file, _: junk + file)


@trick("junk behind the end")
def _behind(draft: Draft, random: Random) -> None:
    junk = random.choice(
        (b"\0" * 2000, b"<html>\n%%EOF\n", b"startxref\n0\n%%EOF\n", b"trailer<</Root 9 0 R>>\n%%EOF\n")
    )
    draft.finish.append(lambda file, _: file + junk)


@trick("a header of another kind")
def _header(draft: Draft, random: Random) -> None:
    header = random.choice((b"%PDF-1.0", b"%PDF-2.0", b"%PDF-1.9", b"%FDF-1.2", b"%PDF-2.9"))
    draft.finish.append(changed(b"%PDF-1.7", header))


@trick("an archive that ends with it")
def _archive(draft: Draft, _random: Random) -> None:
    draft.finish.append(lambda file, _: _with_archive(file, len(file)))


@trick("an archive that ends where its sealed form ends")
def _predicted_archive(draft: Draft, _random: Random) -> None:
    draft.is_predicted = True
    draft.finish.append(lambda file, one: _with_archive(file, one.length or len(file)))


def _with_archive(file: bytes, length: int) -> bytes:
    """The file with an archive at its end, whose comment reaches up to that length."""
    output = BytesIO(file)
    with zipfile.ZipFile(output, "a") as archive:
        archive.writestr("another.txt", HIDDEN)
    held = output.getvalue()
    comment = max(length - len(held), 6) % 65536
    return held[:-2] + comment.to_bytes(2, "little") + b"\n%%EOF\n"


@trick("a page of the web at its beginning")
def _html(draft: Draft, _random: Random) -> None:
    draft.finish.append(lambda file, _: file[:9] + b"%<html><body>EUR 4,800,000<!--\n" + file[9:])


@trick("an entry of the root that is another object's")
def _root(draft: Draft, random: Random) -> None:
    draft.root[random.choice((b"Version", b"Extensions", b"Type"))] = random.choice((b"/9.9", b"<<>>", b"/Pages"))
    draft.objects.setdefault(ROOT + 30, b"<</Type/Catalog>>")
