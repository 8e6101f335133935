"""Every page in every state, by name: what is looked at for accessibility, and of what screenshots are made.

A scene brings a visitor's browser to one state of one page and leaves it there. Whoever adds a page adds its scenes.
"""

from collections.abc import Mapping

from tests.browser.scenes import app, consent, endings, front, papers, signatures, signing, verifying
from tests.browser.scenes.scene import Scene

SCENES: Mapping[str, Scene] = {
    **front.SCENES,
    **signing.SCENES,
    **endings.SCENES,
    **papers.SCENES,
    **signatures.SCENES,
    **app.SCENES,
    **consent.SCENES,
    **verifying.SCENES,
}
