"""Every page in every state, by name: for accessibility tests and screenshots.

A scene is a public function that brings a visitor's browser to one state of one page and leaves it there.
"""

from collections.abc import Awaitable, Callable, Mapping
from inspect import iscoroutinefunction, signature
from types import ModuleType

from tests.browser.house import House
from tests.browser.scenes import (
    administration,
    app,
    batches,
    changes,
    clauses,
    consent,
    create,
    endings,
    front,
    identity,
    papers,
    right_to_left,
    signatures,
    signing,
    verifying,
)
from tests.browser.visitor import Visitor

Scene = Callable[[House, Visitor], Awaitable[None]]


def _scenes_of(module: ModuleType, prefix: str = "") -> dict[str, Scene]:
    return {
        prefix + name.replace("_", "-"): function
        for name, function in vars(module).items()
        if iscoroutinefunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
        and list(signature(function).parameters) == ["house", "visitor"]
    }


SCENES: Mapping[str, Scene] = {
    **_scenes_of(front),
    **_scenes_of(signing),
    **_scenes_of(endings),
    **_scenes_of(papers),
    **_scenes_of(clauses),
    **_scenes_of(right_to_left),
    **_scenes_of(signatures),
    **_scenes_of(identity),
    **_scenes_of(app, "app-"),
    **_scenes_of(changes, "change-"),
    **_scenes_of(create, "app-"),
    **_scenes_of(batches, "app-"),
    **_scenes_of(administration, "administration-"),
    **_scenes_of(consent, "program-"),
    **_scenes_of(verifying),
}
