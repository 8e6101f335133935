"""`python -m tests.layout.record_goldens`: records how the golden agreements look now. Look at the result."""

from tests.layout.goldens import BOXES, GOLDENS, agreement, boxes, golden_pictures, pictures
from tests.layout.kinds import KINDS, kind, pictures_of
from tests.layout.looks import LOOKS, images, look, pdf_of
from tests.layout.pictures import PICTURES
from tests.layout.scripts import SCRIPTS, agreement_in, signed_in


def record() -> None:
    BOXES.write_text(boxes(agreement()), "utf-8")
    for name, picture in golden_pictures().items():
        picture.quantize(32).save(GOLDENS / name, optimize=True)
    for script in SCRIPTS:
        (GOLDENS / "scripts" / f"{script}.txt").write_text(boxes(agreement_in(script)), "utf-8")
        (page,) = pictures(signed_in(script))
        page.quantize(32).save(GOLDENS / "scripts" / f"{script}.png", optimize=True)
    for look_name in LOOKS:
        (GOLDENS / "looks" / f"{look_name}.txt").write_text(boxes(look(look_name), images()), "utf-8")
        for number, page in enumerate(pictures(pdf_of(look_name)), start=1):
            page.quantize(48).save(GOLDENS / "looks" / f"{look_name}-{number}.png", optimize=True)
    (GOLDENS / "kinds").mkdir(exist_ok=True)
    for name in KINDS:
        (GOLDENS / "kinds" / f"{name}.txt").write_text(boxes(kind(name), PICTURES), "utf-8")
        for number, page in enumerate(pictures_of(name), start=1):
            page.quantize(32).save(GOLDENS / "kinds" / f"{name}-{number}.png", optimize=True)


if __name__ == "__main__":
    record()
