"""`python -m tests.layout.record_goldens`: records how the golden agreement looks now. Look at the result."""

from tests.layout.goldens import BOXES, GOLDENS, agreement, boxes, golden_pictures


def record() -> None:
    BOXES.write_text(boxes(agreement()), "utf-8")
    for name, picture in golden_pictures().items():
        picture.quantize(32).save(GOLDENS / name, optimize=True)


if __name__ == "__main__":
    record()
