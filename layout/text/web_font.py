"""Fonts for HTML: the fonts of the engine, reduced to some characters. Deterministic."""

from collections.abc import Mapping

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

from layout.text.fonts import Face, font_file

WEB_WEIGHTS: Mapping[Face, str] = {Face.REGULAR: "400", Face.BOLD: "600 700"}
"""The faces that HTML uses, each with the weights (CSS) that it is shown for."""


def web_font(face: Face, characters: frozenset[int], features: tuple[str, ...]) -> bytes:
    """Returns `face` as a TrueType file with those code points and OpenType features, without hints."""
    options = hb.SubsetInput()
    options.unicode_set.update(characters)
    options.flags = hb.SubsetFlags.NO_HINTING
    options.layout_feature_tag_set.clear()
    options.layout_feature_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in features)
    content: bytes = options.subset(hb.Face(font_file(face))).blob.data
    return content
