"""A signature as a hand draws it, for the demonstration: a pen stroke on a transparent picture."""

import math
from base64 import b64encode
from io import BytesIO

from PIL import Image, ImageDraw

_SIZE = (600, 200)
_FINE = 4  # drawn larger by this and then scaled down: smooth edges
_INK = (22, 34, 66, 255)

# Control points of cubic curves, each beginning where the one before ends; pixels from the top left.
_START = (52, 148)
_CURVES = (
    ((60, 60), (92, 18), (112, 36)),
    ((136, 62), (66, 170), (88, 168)),
    ((118, 166), (128, 112), (150, 112)),
    ((172, 112), (134, 164), (160, 160)),
    ((184, 156), (182, 112), (200, 116)),
    ((214, 120), (190, 162), (214, 156)),
    ((250, 146), (262, 26), (244, 30)),
    ((222, 40), (224, 168), (250, 158)),
    ((276, 146), (270, 112), (294, 114)),
    ((316, 118), (268, 168), (306, 156)),
    ((332, 146), (326, 110), (346, 114)),
    ((362, 118), (340, 162), (368, 152)),
    ((420, 130), (470, 96), (548, 104)),
)


def draw_signature() -> str:
    """The signature as a data URL of a PNG, as a page's canvas hands it in."""
    large = Image.new("RGBA", (_SIZE[0] * _FINE, _SIZE[1] * _FINE))
    pen = ImageDraw.Draw(large)
    start = _START
    travelled = 0.0
    for one, two, end in _CURVES:
        for step in range(161):
            at = step / 160
            x, y = (_bezier((start[axis], one[axis], two[axis], end[axis]), at) for axis in (0, 1))
            width = 2.1 + 0.9 * math.sin(travelled / 22)
            travelled += 0.5
            pen.ellipse([_FINE * (v + side * width) for side in (-1, 1) for v in (x, y)], fill=_INK)
        start = end
    written = BytesIO()
    large.resize(_SIZE, Image.Resampling.LANCZOS).save(written, "PNG", optimize=True)
    return "data:image/png;base64," + b64encode(written.getvalue()).decode()


def _bezier(points: tuple[float, float, float, float], at: float) -> float:
    a, b, c, d = points
    back = 1 - at
    return a * back**3 + 3 * b * back**2 * at + 3 * c * back * at**2 + d * at**3
