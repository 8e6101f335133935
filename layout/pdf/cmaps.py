"""CMaps: what the codes in strings mean, as glyphs or as text."""

from collections.abc import Mapping

CODES_TO_GLYPHS = (
    "/Type /CMap /CMapName /Codes /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
)
"""The entries of a stream that holds a CMap to glyphs."""


def to_glyphs(glyphs: Mapping[int, int], length: int = 1) -> bytes:
    """From codes of `length` bytes to glyphs by number."""
    return _cmap("cid", {code: str(glyph) for code, glyph in glyphs.items()}, length)


def to_text(texts: Mapping[int, str], length: int = 1) -> bytes:
    """From codes of `length` bytes to what they are copied as."""
    return _cmap("bf", {code: f"<{text.encode('utf-16-be').hex()}>" for code, text in texts.items()}, length)


def _cmap(kind: str, entries: Mapping[int, str], length: int) -> bytes:
    name, registry, ordering = ("Codes", "Adobe", "Identity") if kind == "cid" else ("Text", "Adobe", "UCS")
    lines = [
        "/CIDInit /ProcSet findresource begin",
        "12 dict begin",
        "begincmap",
        f"/CIDSystemInfo << /Registry ({registry}) /Ordering ({ordering}) /Supplement 0 >> def",
        f"/CMapName /{name} def",
        f"/CMapType {1 if kind == 'cid' else 2} def",
        "1 begincodespacerange",
        f"<{'00' * length}> <{'FF' * length}>",
        "endcodespacerange",
    ]
    ordered = sorted(entries.items())
    for start in range(0, len(ordered), 100):
        block = ordered[start : start + 100]
        lines.append(f"{len(block)} begin{kind}char")
        lines += [f"<{code:0{2 * length}X}> {to}" for code, to in block]
        lines.append(f"end{kind}char")
    lines += ["endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end"]
    return "\n".join(lines).encode("ascii")
