"""What an upload may hold that is unusual: the names of all tricks, by what they do to a draft."""

from collections.abc import Callable
from random import Random

from tests.attacks.draft import Draft

Trick = Callable[[Draft, Random], None]

TRICKS: dict[str, Trick] = {}
"""Those that readers may take differently, or that hold what should not be sealed."""

HONEST: dict[str, Trick] = {}
"""What files of honest people hold, which must be accepted."""


def trick(name: str) -> Callable[[Trick], Trick]:
    def register(function: Trick) -> Trick:
        assert name not in TRICKS, name
        TRICKS[name] = function
        return function

    return register


def honest(name: str) -> Callable[[Trick], Trick]:
    def register(function: Trick) -> Trick:
        assert name not in HONEST, name
        HONEST[name] = function
        return function

    return register
