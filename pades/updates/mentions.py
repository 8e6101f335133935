"""References in the sealed bytes to objects that an update adds, found by a scan that is looser than any reader.

A sealed PDF can wait for an object: a page, or an object that its table calls free, refers to a number that no object
has yet. Readers differ in how a reference may be spelled and in which objects they read. The scan therefore reads
neither objects nor tables: any integer, optional white space and comments, any integer and `R` is a reference.
"""

import re
import zlib
from collections.abc import Iterator, Set
from contextlib import suppress
from itertools import product
from typing import Any

import pikepdf

from pades.updates.grammar import DisallowedChange

_SPACE = rb"(?:[\0\t\n\f\r ]|%[^\r\n]*(?:[\r\n]|\Z))"
_ENDS = rb"(?![^\0\t\n\f\r ()<>\[\]{}/%])"
_STREAM = re.compile(rb"(?<!end)stream(?:\r\n|\n|\r)?")
_BEFORE = 4096
"""Bytes before a stream that may belong to its dictionary."""

_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_FIRST = re.compile(rb"/First" + _ENDS)
"""A required entry of object streams. ISO 32000-2, 7.5.7."""

_OTHER_FILTERS = re.compile(rb"/(?:(?:LZW|ASCIIHex|ASCII85|RunLength)Decode|LZW|AHx|A85|RL|Crypt)" + _ENDS)
_PREDICTOR = re.compile(rb"/Predictor" + _ENDS)
_PARAMETERS = {"Columns": 1, "Colors": 1, "BitsPerComponent": 8}
"""Entries that say how long the rows of predicted data are, and their defaults. ISO 32000-2, 7.4.4.3."""

_MAX_FORMS = 64
_MAX_UNPACKED = 64 * 1024 * 1024


def check_mentions(sealed: bytes, added: Set[int]) -> None:
    """Raises `DisallowedChange` if the `sealed` bytes mention an object whose number is in `added`."""
    if not added:
        return
    numbers = b"|".join(b"%d" % number for number in sorted(added, reverse=True))
    mention = re.compile(
        rb"(?<![0-9.])0*(?:" + numbers + rb")(?![0-9])(?:\.0*)?(?:" + _SPACE + rb"*(?=[+-])|" + _SPACE + rb"+)"
        rb"[+-]*[0-9]+(?:\.0*)?" + _SPACE + rb"*(?:R|obj)" + _ENDS
    )  # fmt: skip
    for part in (sealed, *_object_streams(sealed)):
        if mention.search(part):
            raise DisallowedChange("the sealed revision refers to an added object, ISO 32000-2, 7.3.10")


def _object_streams(sealed: bytes) -> Iterator[bytes]:
    """Yields the decompressed contents of everything that a reader could take for an object stream."""
    for found in _STREAM.finditer(sealed):
        before = sealed[max(0, found.start() - _BEFORE) : found.start()]
        before = _ESCAPE.sub(lambda code: bytes.fromhex(code[1].decode()), before)
        if not _FIRST.search(before):
            continue
        contents = _inflated(sealed, found.end())
        if _OTHER_FILTERS.search(before) and not contents:
            raise DisallowedChange("the sealed revision has an object stream that cannot be searched")
        while contents:
            yield contents
            if _PREDICTOR.search(before):
                yield from _unpredicted(contents, before)
            contents = _inflated(contents, 0)


def _inflated(data: bytes, at: int) -> bytes:
    """Returns what zlib makes of `data` from `at` on, up to the first error."""
    decompressor, contents = zlib.decompressobj(), bytearray()
    view = memoryview(data)
    try:
        while at < len(data) and not decompressor.eof and len(contents) < _MAX_UNPACKED:
            contents += decompressor.decompress(view[at : at + 65536])
            at += 65536
    except zlib.error:
        # Readers draw what comes before the error too, so it is searched.
        pass
    return bytes(contents)


def _unpredicted(contents: bytes, before: bytes) -> Iterator[bytes]:
    """Yields the contents that predictors encode, for each length of rows that the dictionary could mean."""
    values = {
        key: {default, *map(int, re.findall(rb"/%b[^0-9/]{0,20}(\d{1,5})" % key.encode(), before))}
        for key, default in _PARAMETERS.items()
    }
    forms = list(product(*values.values(), (2, 15)))
    if len(forms) > _MAX_FORMS:
        raise DisallowedChange("the sealed revision has an object stream that cannot be searched")
    with pikepdf.new() as pdf:
        for *row, predictor in forms:
            parameters: dict[str, Any] = dict(zip(_PARAMETERS, row, strict=True))
            stream = pdf.make_stream(zlib.compress(contents, 1), Filter=pikepdf.Name.FlateDecode)
            stream.DecodeParms = pikepdf.Dictionary(Predictor=predictor, **parameters)
            # A form that does not fit the data is not what readers decode.
            with suppress(pikepdf.PdfError, RuntimeError):
                yield stream.read_bytes()
