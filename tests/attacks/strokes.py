"""Strokes that readers may draw differently: of no length, of no width, in dashes of no length, with all ends."""

from random import Random

from tests.attacks.draft import Draft
from tests.attacks.tricks import honest, trick

_SHAPES = (
    b"%d 300 m %d 300 l", b"%d 300 m %d 300 l h", b"%d 300 m %d.0001 300 l", b"%d 300 m 300 300 l 300 300 l %d 300 l",
    b"%d 300 m %d 300 l 300 300 l", b"%d 300 0 0 re %d 300 m", b"%d 300 200 0 re %d 300 m", b"%d 300 m h %d 300 m h",
    b"%d 300 m %d 300 120 300 120 300 c", b"%d 300 m %d 400 l",
)  # fmt: skip
_DASHES = (b"[] 0 d", b"[0 40] 0 d", b"[0 40 10 40] 0 d", b"[0 30 5] 0 d", b"[30 0] 0 d")


@honest("dotted lines with round ends")
def _dotted(draft: Draft, _random: Random) -> None:
    draft.draw(b"q 3 w 1 J [0 6] 0 d 60 300 m 400 300 l S 60 250 m 60 250 l S Q\n")


@trick("a stroke without a length")
def _stroke(draft: Draft, random: Random) -> None:
    shape = random.choice(_SHAPES) % (120, 120)
    ends = b"%d J %d j %g w" % (random.randrange(3), random.randrange(3), random.choice((0, 0.5, 30, 60)))
    scale = random.choice((b"", b"10 0 0 10 0 0 cm ", b"0.1 0 0 0.1 0 0 cm "))
    if scale.startswith(b"10 "):
        shape, ends = shape.replace(b"00", b"0"), ends.replace(b"0 w", b" w").replace(b"j  w", b"j 3 w")
    draft.draw(b"q %b%b %b %b S Q\n" % (scale, ends, random.choice(_DASHES), shape))
