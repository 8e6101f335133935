"""Ink stays in its place: adversarial texts change no pixel outside their zones, lines and cells."""

from collections.abc import Iterable
from dataclasses import astuple

import pytest
import uharfbuzz as hb
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from domain.texts.combining_marks import MAX_MARKS
from layout.engine import ZoneValue, fitting_length, render, stamp
from layout.frames import Text
from layout.geometry import PAGE_WIDTH, Rect
from layout.ink import DEEPEST, TALLEST, ink_of, overhang
from layout.pdf.pymupdf_file import open_file
from layout.reports.render_report import render_report
from layout.reports.report import Entry, Heading, Report, Table
from layout.text.characters import plain_characters
from layout.text.font_fallback import EAST_ASIAN, fallback_fonts
from layout.text.fonts import Face, Han, TextStyle, font_file
from layout.text.shaped_lines import LineShaper
from layout.zone import Zone, ZoneType
from tests.layout.documents import document, field, paragraph, signature
from tests.layout.scripts import SCRIPTS

SCALE = 2  # pixels a point
_BASES = "aWjÅ\u0416\u05d0\u0644\u0e01\u0915\u1780\u1000\u4e2d\u1100 \U0001f469\ufdfd\u2e3b"
_MARKS = (
    "\u0300\u0305\u0323\u0331\u0338\u034f\u0360\u0332\u033f\u20dd\u20e3\u0651\u064e\u0650\u05b0\u05b8\u0591\u0e35\u0e48"
    "\u0e39\u094d\u093f\u0941\u17d2\u17bb\u102d\u1039\u200d\u200b"
)
STACKS = st.builds(
    lambda base, marks: base + marks, st.sampled_from(_BASES), st.text(st.sampled_from(_MARKS), max_size=40)
)
ADVERSARIAL = st.lists(STACKS, min_size=1, max_size=8).map("".join).filter(lambda text: text.strip() != "")
WORST = (
    ("W" + "\u0305" * 24) * 22,
    "m" + "\u033f" * 30,
    "W" + "\u0331" * 60,
    "\u1100" * 300,
    "\u0915\u094d" * 300,
    "\U0001f469\u200d" * 200,
    "\u0305" * 20,
    "W" + "\u0305" * MAX_MARKS,
)

FORM = document(
    paragraph("The fee is 100,000 EUR, paid to account 12-345."),
    *(field(type_, f"Label {type_}") for type_ in ("text", "multilineText", "dropdown", "initials")),
    paragraph("All terms hold as they are printed."),
    signature(),
)
_ROOM = 1.0  # points around a zone: its underline and outline are drawn over its edge


def picture(pdf: bytes) -> Image.Image:
    with open_file(pdf) as file:
        pixels = file[0].get_pixmap(dpi=72 * SCALE)
        return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def differ_outside(one: Image.Image, other: Image.Image, boxes: Iterable[Rect]) -> bool:
    differing = ImageChops.difference(one, other)
    for box in boxes:
        edges = (box.x, box.y, box.right, box.bottom)
        differing.paste((0, 0, 0), tuple(round(edge * SCALE) for edge in edges))
    return differing.getbbox() is not None


def _with_texts() -> tuple[bytes, tuple[Zone, ...]]:
    rendered = render(FORM, ["client"])
    assert rendered.pdf is not None
    return rendered.pdf, tuple(zone for zone in rendered.zones if zone.type is not ZoneType.DATE_SIGNED)


PDF, ZONES = _with_texts()
BLANK = picture(PDF)
_SLOW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@_SLOW
@given(st.one_of(ADVERSARIAL, st.sampled_from(WORST)))
@example(WORST[0])
def test_values_change_no_pixel_outside_their_zones(text: str) -> None:
    filled = picture(stamp(PDF, [ZoneValue(zone, text=text) for zone in ZONES]))
    assert not differ_outside(BLANK, filled, [Rect(z.x, z.y, z.w, z.h).grown(_ROOM) for z in ZONES])


@_SLOW
@given(st.one_of(ADVERSARIAL, st.sampled_from(WORST)))
@example(WORST[1])
def test_a_line_of_a_document_changes_no_pixel_beyond_the_reach_of_orthographies(text: str) -> None:
    one_line = text[:20].replace("\n", " ")
    pages = [
        render(document(paragraph("above"), paragraph(shown), paragraph("below")), ["client"])
        for shown in ("x", one_line)
    ]
    if any(page.pdf is None and {issue.kind.value for issue in page.issues} != {"too-many-marks"} for page in pages):
        raise AssertionError(pages)
    if pages[1].pdf is None:
        return  # refused
    plain, adversarial = (picture(page.pdf) for page in pages if page.pdf is not None)
    top = 128.0 + 14.25 + 0.75 * 9.5  # the first baseline of the body, and the distance to the next paragraph
    reach = Rect(0, top - 30, PAGE_WIDTH, 60)
    assert not differ_outside(plain, adversarial, [reach])


@_SLOW
@given(st.one_of(ADVERSARIAL, st.sampled_from(WORST)))
@example(WORST[1])
def test_a_name_changes_no_pixel_of_other_rows_on_a_certificate(text: str) -> None:
    name = text[:12]

    def certificate(shown: str) -> Image.Image:
        rows = tuple(((Entry("Name"),), (Entry(one),)) for one in ("Ada", "Bea", shown, "Cyd", "Dan"))
        return picture(
            render_report(Report("Certificate", "of a session", "A footer", (Heading("People"), Table((1, 3), rows))))
        )

    plain, adversarial = certificate("x"), certificate(name)
    changed = ImageChops.difference(plain, adversarial).getbbox()
    if changed is not None:
        assert changed[3] - changed[1] <= 28 * SCALE  # one row of 18.5 points, and the reach of orthographies


@pytest.mark.parametrize("face", Face)
def test_plain_characters_stay_within_the_reach_of_orthographies(face: Face) -> None:
    font = hb.Font(hb.Face(font_file(face)))
    for code in plain_characters():
        glyph = font.get_nominal_glyph(code)
        box = font.get_glyph_extents(glyph) if glyph else None
        if box is not None:
            text = Text(0, 0, chr(code), font.get_glyph_h_advance(glyph), TextStyle(face, 1000, 1000, (0, 0, 0)))
            ink = ink_of(text)
            assert ink is None or (ink.x <= box.x_bearing and ink.right >= box.x_bearing + box.width), chr(code)
            assert -DEEPEST < box.y_bearing + box.height <= box.y_bearing < TALLEST
            assert ink is None or (-ink.y >= box.y_bearing and -ink.bottom <= box.y_bearing + box.height), chr(code)


@pytest.mark.parametrize("face", [Face.REGULAR, Face.BOLD])
def test_east_asian_characters_stay_within_the_reach_of_orthographies(face: Face) -> None:
    font = fallback_fonts(face, Han.SIMPLIFIED).east_asian
    for character in filter(EAST_ASIAN.match, font.covers):
        glyph = font.font.get_nominal_glyph(ord(character))
        box = font.ink[glyph]
        if box is not None:
            assert -DEEPEST < box.bottom <= box.top < TALLEST, character
            assert -500 < box.left <= box.right < font.advances[glyph] + 500, character


@pytest.mark.parametrize("face", Face)
@pytest.mark.parametrize("script", SCRIPTS)
def test_no_orthography_is_clipped(script: str, face: Face) -> None:
    for word in (word for text in astuple(SCRIPTS[script]) for word in text.split()):
        line = LineShaper(face, Han.SIMPLIFIED).line(word)
        style = TextStyle(face, 10, 14, (0, 0, 0))
        assert overhang(Text(0, 0, word, line.width / 100, style, None, line.glyphs)) is None


def test_a_stack_that_no_size_holds_is_refused_and_a_smaller_one_shrinks() -> None:
    (zone,) = (zone for zone in ZONES if zone.type is ZoneType.TEXT)
    assert fitting_length(WORST[0], zone) is not None
    assert fitting_length("e\u0323\u0302 " * 8, zone) is None
