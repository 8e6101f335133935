"""Signing by hand: strokes on the pad, and a signature on paper."""

from io import BytesIO

from PIL import Image, ImageDraw
from playwright.async_api import FilePayload, Page

_STROKES = (((0.1, 0.7), (0.2, 0.2), (0.3, 0.75)), ((0.35, 0.6), (0.5, 0.35), (0.65, 0.65), (0.85, 0.3)))


async def choose(page: Page, kind: str) -> None:
    """Chooses how to sign."""
    await page.locator("#signature-choice label", has=page.locator(f"[value={kind}]")).click()


async def draw(page: Page, canvas: str = "#signature-canvas", strokes: int = len(_STROKES)) -> None:
    """Draws on the pad with a mouse."""
    pad = page.locator(canvas)
    await pad.scroll_into_view_if_needed()
    box = await pad.bounding_box()
    assert box is not None
    for (x, y), *rest in _STROKES[:strokes]:
        await page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
        await page.mouse.down()
        for across, down in rest:
            await page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"], steps=6)
        await page.mouse.up()


async def draw_with_finger(page: Page, canvas: str = "#signature-canvas") -> None:
    """Draws the first stroke on the pad with a finger."""
    box = await page.locator(canvas).bounding_box()
    assert box is not None
    touch = await page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(_STROKES[0]):
        finger = {"x": box["x"] + x * box["width"], "y": box["y"] + y * box["height"]}
        kind = "touchMove" if number else "touchStart"
        await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [finger]})
    await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def photograph() -> FilePayload:
    """A signature on greyish paper, as a telephone would take it."""
    picture = Image.new("RGB", (900, 500), (214, 210, 202))
    ImageDraw.Draw(picture).line([(100, 350), (260, 120), (380, 380), (600, 180), (800, 320)], (30, 34, 60), 14)
    taken = BytesIO()
    picture.save(taken, "JPEG")
    return FilePayload(name="signature.jpg", mimeType="image/jpeg", buffer=taken.getvalue())
