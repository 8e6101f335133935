"""How large pictures are and where they stand. Specification 2.5 (logo), 2.7 (image), 2.12 (rule 3)."""

from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from layout.captions import CAPTIONS
from layout.engine import render
from layout.frames import Frame, Image, Placed, Role, Text, frames_of
from layout.geometry import TOLERANCE, Rect
from layout.paging.margin_boxes import Header, HeaderBand, HeaderDesign, build_header_band, title_lines
from layout.paging.pagination import PaginatedBlocks
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile, Logo, fit_logo
from layout.schema.issues import Issue, IssueKind
from layout.theme_styles import Theme
from tests.layout.documents import document, heading, laid_out, paragraph
from tests.layout.even_fonts import EVEN
from tests.layout.pictures import image_file

WIDE = image_file(800, 200)
PLAIN, FILLED = Theme(), Theme(header_style="band")


def image(file_id: str = "wide", **members: object) -> dict[str, object]:
    return {"type": "image", "fileId": file_id, **members}


def rect_on_page(paginated: PaginatedBlocks, page: int = 1) -> Rect:
    """Where the only picture of that page stands."""
    ((at, item),) = [
        (at, item) for at in paginated.bodies[page - 1].placed for item in at.frame.items if isinstance(item, Image)
    ]
    return item.rect.moved(at.x, at.y)


def issues(written: BlockDocument, images: Mapping[str, ImageFile]) -> tuple[Issue, ...]:
    rendered = render(written, (), images)
    assert (rendered.pdf is None) == bool(rendered.issues)
    return rendered.issues


@pytest.mark.parametrize(
    ("file", "members", "place"),
    [
        ((64, 32), {}, (56, 64, 32)),  # a small picture is a point for a pixel at the left margin
        ((800, 200), {}, (56, 483, 120.75)),  # a large one is as wide as the content; 483 / 4
        ((800, 200), {"width": 200, "align": "left"}, (56, 200, 50)),
        ((800, 200), {"width": 200, "align": "center"}, (197.5, 200, 50)),  # 56 + 283 / 2
        ((800, 200), {"width": 200, "align": "right"}, (339, 200, 50)),  # 56 + 283
        ((30, 10), {"width": 300}, (56, 300, 100)),  # it may be larger than its pixels
    ],
)
def test_a_picture_has_its_width_proportions_and_side(
    file: tuple[int, int], members: dict[str, object], place: tuple[float, float, float]
) -> None:
    rect = rect_on_page(laid_out(document(image("x", **members)), {"x": image_file(*file)}))
    assert (rect.x, rect.w, rect.h) == place


@pytest.mark.parametrize(("before", "page"), [(paragraph("before"), 1), (heading("Plan"), 2)])
def test_a_picture_that_does_not_fit_moves_to_the_next_page_whole_with_its_heading(
    before: dict[str, object], page: int
) -> None:
    written = document({"type": "spacer", "height": 500}, before, image("square"))
    paginated = laid_out(written, {"square": image_file(300, 300)})
    assert (paginated.start_pages["/blocks/1"], paginated.start_pages["/blocks/2"]) == (page, 2)
    assert page == 2 or rect_on_page(paginated, 2).y == paginated.bodies[1].band.body_top


def test_a_picture_taller_than_a_page_is_an_issue_that_says_which_width_would_do() -> None:
    tall = image_file(100, 400, "scan.png")
    (issue,) = issues(document(paragraph("before"), image("tall", width=200)), {"tall": tall})
    assert (issue.kind, issue.path, issue.page) == (IssueKind.IMAGE_TOO_TALL, "/blocks/1", 2)
    assert issue.snippet == "scan.png"
    assert "800 points tall at a width of 200" in issue.message
    assert "a page has room for 660" in issue.message  # 766 - 106
    assert "a width of 165 points at most" in issue.message  # 660 / 4
    assert issues(document(image("tall", width=165)), {"tall": tall}) == ()


def test_a_picture_that_is_too_tall_at_any_width_is_to_be_cropped() -> None:
    (issue,) = issues(document(image("thread")), {"thread": image_file(10, 1000)})
    assert "Crop it" in issue.message


def test_a_bare_page_has_room_for_a_taller_picture() -> None:
    written = document({"type": "pageBreak", "header": None}, image("tall"))
    assert issues(written, {"tall": image_file(100, 710)}) == ()  # 766 - 56
    assert issues(written, {"tall": image_file(100, 711)}) != ()


def test_a_picture_that_was_not_uploaded_is_an_issue_wherever_it_is_named() -> None:
    written = document(paragraph("before"), image("gone"), image(), image("gone"), logo={"fileId": "lost"})
    found = issues(written, {"wide": WIDE})
    assert [(issue.kind, issue.path, issue.snippet) for issue in found] == [
        (IssueKind.UNKNOWN_IMAGE, "/logo/fileId", "lost"),
        (IssueKind.UNKNOWN_IMAGE, "/blocks/1/fileId", "gone"),
        (IssueKind.UNKNOWN_IMAGE, "/blocks/3/fileId", "gone"),
    ]


def test_a_document_names_all_pictures_that_it_shows() -> None:
    written = document(image("a"), paragraph("x"), image("a"), logo={"fileId": "b"})
    assert written.image_ids() == {"/logo/fileId": "b", "/blocks/0/fileId": "a", "/blocks/2/fileId": "a"}


@pytest.mark.parametrize("width", [20, 130, 483])
def test_pictures_of_20_to_483_points_and_logos_of_20_to_130_have_their_width(width: float) -> None:
    assert rect_on_page(laid_out(document(image(width=width)), {"wide": WIDE})).w == width
    if width <= 130:
        logo = {"fileId": "wide", "width": width}
        (frame,) = frames_with_a_logo(laid_out(document(paragraph("x"), logo=logo), {"wide": WIDE}))
        assert frame is not None
        assert frame.width == width


@pytest.mark.parametrize("width", [19.9, 130.1, 483.1, 0, -20])
def test_other_widths_are_refused(width: float) -> None:
    with pytest.raises(ValidationError):
        document(paragraph("x"), logo={"fileId": "wide", "width": width})
    if width != 130.1:
        with pytest.raises(ValidationError):
            document(image(width=width))


@pytest.mark.parametrize(
    ("width", "height", "asked", "size"),
    [
        (800, 200, None, (130, 32.5)),
        (800, 200, 100, (100, 25)),
        (40, 20, None, (40, 20)),
        (40, 20, 130, (120, 60)),  # 65 points tall are too many
        (300, 300, None, (60, 60)),
        (100, 1000, 20, (6, 60)),
    ],
)
def test_a_logo_fits_its_slot_in_its_own_proportions(
    width: int, height: int, asked: float | None, size: tuple[float, float]
) -> None:
    logo = fit_logo(image_file(width, height), asked)
    assert (logo.width, logo.height) == pytest.approx(size)


def band(title: str, subtitle: str | None, theme: Theme, logo: Logo) -> HeaderBand:
    return build_header_band(Header(title, subtitle, ""), HeaderDesign(theme, logo), EVEN)


def parts_of(made: HeaderBand) -> list[Placed]:
    assert made.frame is not None
    return [at for at in frames_of(Placed(0, 0, made.frame)) if at.frame.role is not Role.ARTIFACT]


def logo_in(made: HeaderBand) -> Placed:
    (at,) = (at for at in parts_of(made) if at.frame.role is Role.FIGURE)
    return at


@pytest.mark.parametrize("theme", [PLAIN, FILLED])
def test_a_logo_stands_at_the_right_in_the_middle_of_the_texts(theme: Theme) -> None:
    at = logo_in(band("Title", "Subtitle", theme, fit_logo(WIDE, 80)))
    assert (at.x, at.y) == (403, 12)  # 483 - 80, (27 + 2 + 15 - 20) / 2


@pytest.mark.parametrize("theme", [PLAIN, FILLED])
def test_a_logo_taller_than_the_texts_makes_the_band_taller_and_the_texts_stay_in_its_middle(theme: Theme) -> None:
    with_logo = band("Title", None, theme, fit_logo(image_file(60, 60), None))
    without = build_header_band(Header("Title", None, ""), HeaderDesign(theme), EVEN)
    assert with_logo.body_top == without.body_top + 31  # 60 - 29
    assert logo_in(with_logo).y == 0
    title, _ = parts_of(with_logo)
    assert title.y == 15.5  # 31 / 2


@pytest.mark.parametrize("theme", [PLAIN, FILLED])
def test_no_text_of_a_band_runs_under_the_logo(theme: Theme) -> None:
    made = band("W" * 15, "W" * 200, theme, fit_logo(WIDE, None))  # 15 x 22 = 330 of 483 - 130 - 20
    edge = logo_in(made).x - 20
    texts = [(at, item) for at in parts_of(made) for item in at.frame.items if isinstance(item, Text)]
    assert len(texts) == 1 + 7  # 31 letters of 10.5 points fit on a line
    assert all(at.x + item.x + item.width <= edge + TOLERANCE for at, item in texts)


def test_a_title_that_a_logo_leaves_no_room_for_is_too_long() -> None:
    header = Header("W" * 19, None, "")  # 418 points, and 342 in letters of 18
    assert len(title_lines(header, HeaderDesign(PLAIN), EVEN)) == 1
    assert len(title_lines(header, HeaderDesign(PLAIN, fit_logo(WIDE, None)), EVEN)) == 2
    (issue,) = issues(
        document(paragraph("x"), title="A title for nearly the whole width of a page", logo={"fileId": "wide"}),
        {"wide": WIDE},
    )
    assert issue.kind is IssueKind.TITLE_TOO_LONG
    assert "make the logo narrower" in issue.message


def frames_with_a_logo(paginated: PaginatedBlocks) -> list[Frame | None]:
    found = []
    for body in paginated.bodies:
        frame = body.band.frame
        inner = frames_of(Placed(0, 0, frame)) if frame else ()
        found.append(next((at.frame for at in inner if at.frame.role is Role.FIGURE), None))
    return found


def test_the_logo_is_on_every_page_that_has_a_band() -> None:
    retitled = {"type": "pageBreak", "header": {"title": "Schedule"}}
    bare = {"type": "pageBreak", "header": None}
    plain = {"type": "pageBreak"}
    blocks = [paragraph("1"), plain, paragraph("2"), retitled, paragraph("3"), bare, paragraph("4")]
    paginated = laid_out(document(*blocks, logo={"fileId": "wide"}), {"wide": WIDE})
    assert [frame is not None for frame in frames_with_a_logo(paginated)] == [True, True, True, False]


@pytest.mark.parametrize("language", CAPTIONS)
def test_the_words_for_a_picture_are_in_the_language_and_name_its_file(language: str) -> None:
    picture = CAPTIONS[language].picture
    for file_name, words in (("Floor plan.final.png", f"{picture}: Floor plan.final"), ("", picture)):
        files = {"plan": image_file(1, 1, file_name)}
        shown = laid_out(document({"type": "image", "fileId": "plan"}, language=language), files)
        figures = [at.frame for at in shown.bodies[0].placed if at.frame.role is Role.FIGURE]
        assert [figure.alternative for figure in figures] == [words]
