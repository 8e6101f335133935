"""Composite fonts, whose codes lead to glyphs by way of a CMap and numbers (CIDs): entries that all readers take alike.

ISO 32000-2, 9.7.
"""

from pikepdf import Array, Dictionary, Name, Object, Stream, StreamDecodeLevel, String

from application.uploads.charstrings import OddProgram
from application.uploads.cmap import CMap, read_cmap

_IDENTITY = frozenset({"/Identity-H", "/Identity-V"})
_ORDERINGS = {
    "GB1": "GB-EUC-H GB-EUC-V GBpc-EUC-H GBpc-EUC-V GBK-EUC-H GBK-EUC-V GBKp-EUC-H GBKp-EUC-V GBK2K-H GBK2K-V "
    "UniGB-UCS2-H UniGB-UCS2-V UniGB-UTF16-H UniGB-UTF16-V",
    "CNS1": "B5pc-H B5pc-V HKscs-B5-H HKscs-B5-V ETen-B5-H ETen-B5-V ETenms-B5-H ETenms-B5-V CNS-EUC-H CNS-EUC-V "
    "UniCNS-UCS2-H UniCNS-UCS2-V UniCNS-UTF16-H UniCNS-UTF16-V",
    "Japan1": "83pv-RKSJ-H 90ms-RKSJ-H 90ms-RKSJ-V 90msp-RKSJ-H 90msp-RKSJ-V 90pv-RKSJ-H Add-RKSJ-H Add-RKSJ-V EUC-H "
    "EUC-V Ext-RKSJ-H Ext-RKSJ-V H V UniJIS-UCS2-H UniJIS-UCS2-V UniJIS-UCS2-HW-H UniJIS-UCS2-HW-V UniJIS-UTF16-H "
    "UniJIS-UTF16-V",
    "Korea1": "KSC-EUC-H KSC-EUC-V KSCms-UHC-H KSCms-UHC-V KSCms-UHC-HW-H KSCms-UHC-HW-V KSCpc-EUC-H UniKS-UCS2-H "
    "UniKS-UCS2-V UniKS-UTF16-H UniKS-UTF16-V",
}
"""The predefined CMaps by the ordering of their CIDs (9.7.5.2)."""


def inner_font(font: Object) -> Object:
    """Returns the CID font of a composite font. Raises `OddProgram` unless all entries have their usual form."""
    descendants = font.get(Name.DescendantFonts)
    inner = descendants[0] if isinstance(descendants, Array) and len(descendants) == 1 else None
    if not isinstance(inner, Dictionary):
        raise OddProgram
    system = inner.get(Name.CIDSystemInfo)
    if not isinstance(system, Dictionary) or not all(
        isinstance(system.get(key), String) for key in (Name.Registry, Name.Ordering)
    ):
        raise OddProgram
    encoding, ordering = font.get(Name.Encoding), str(system.Ordering)
    if isinstance(encoding, Stream):
        cmap = _cmap(encoding)
        if Name.UseCMap in encoding or encoding.get(Name.WMode, 0) != int(cmap.is_vertical):
            raise OddProgram
    elif str(encoding) not in _IDENTITY and str(encoding)[1:] not in _ORDERINGS.get(ordering, "").split():
        raise OddProgram
    _check_map(inner)
    return inner


def codes_of_composite(font: Object) -> tuple[bytes | None, int]:
    """Returns the codes that a font may show, None if that is any, and the bytes of a code, 0 if they vary."""
    encoding = font.get(Name.Encoding)
    if isinstance(encoding, Stream):
        cmap = _cmap(encoding)
        return (bytes(range(cmap.first, cmap.last + 1)) if cmap.size == 1 else None), cmap.size
    return None, 2 if str(encoding) in _IDENTITY else 0


def _cmap(encoding: Stream) -> CMap:
    return read_cmap(encoding.read_bytes(StreamDecodeLevel.specialized))


def _check_map(inner: Object) -> None:
    """Checks the map from CIDs to glyphs, which TrueType fonts have."""
    mapped = inner.get(Name.CIDToGIDMap, Name.Identity)
    if isinstance(mapped, Stream):
        is_map = inner.get(Name.Subtype) == Name.CIDFontType2 and len(mapped.read_bytes()) % 2 == 0
    else:
        is_map = mapped == Name.Identity
    if not is_map:
        raise OddProgram
