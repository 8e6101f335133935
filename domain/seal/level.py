"""How much a seal proves: the baseline levels of PAdES (ETSI EN 319 142-1, 6)."""

from enum import StrEnum

from domain.shared.frozen_model import FrozenModel


class SealLevel(StrEnum):
    """A level of a seal. Each holds all that the one before holds; of two, the higher one is the greater (`rank`)."""

    B_B = "B-B"
    """Signed: every change shows, for as long as the certificate of the seal is valid."""

    B_T = "B-T"
    """And a timestamp authority says when it existed at the latest: it outlives the certificate of the seal."""

    B_LT = "B-LT"
    """And it holds all that is needed to check it without asking anybody: certificates and their revocation."""

    B_LTA = "B-LTA"
    """And a timestamp over all of that: it outlives the certificates of the timestamp authority of before."""

    @property
    def rank(self) -> int:
        """0 for the lowest level."""
        return tuple(SealLevel).index(self)

    def is_at_least(self, goal: "SealLevel") -> bool:
        """Whether this is `goal` or more."""
        return self.rank >= goal.rank


class Seal(FrozenModel):
    """The level that was found of a seal, and the one that it is to reach in the end."""

    level: SealLevel
    goal: SealLevel
