"""What an upload may hold that is unusual: the names of all tricks, by what they do to a draft."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from tests.attacks.draft import Draft

Trick = Callable[[Draft, Random], None]

TRICKS: dict[str, Trick] = {}
"""Those that readers may take differently, or that hold what should not be sealed."""

HONEST: dict[str, Trick] = {}
"""What files of honest people hold, which must be accepted."""


T = TypeVar("T")


def usually(random: Random, usual: T, others: Sequence[T], chance: float = 0.25) -> T:
    """Returns `usual`, or by chance one of `others`."""
    return random.choice(others) if random.random() < chance else usual


def into(tricks: dict[str, Trick]) -> Callable[[str], Callable[[Trick], Trick]]:
    """Returns a decorator that adds a trick to `tricks` under a name."""

    def named(name: str) -> Callable[[Trick], Trick]:
        def register(function: Trick) -> Trick:
            assert name not in tricks, name
            tricks[name] = function
            return function

        return register

    return named


trick, honest = into(TRICKS), into(HONEST)
