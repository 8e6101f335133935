"""PAdES baseline levels of seals (ETSI EN 319 142-1, 6)."""

from enum import StrEnum

from domain.shared.frozen_model import FrozenModel


class SealLevel(StrEnum):
    """A level of a seal. Each includes the levels before it."""

    B_B = "B-B"
    """Signed: changes are detected while the certificate of the seal is valid."""

    B_T = "B-T"
    """With a trusted timestamp: valid beyond the certificate of the seal."""

    B_LT = "B-LT"
    """With all validation data: certificates and revocation information."""

    B_LTA = "B-LTA"
    """With a timestamp over the validation data: valid beyond the certificates of the first timestamp."""

    @property
    def rank(self) -> int:
        """The position of the level; 0 is the lowest."""
        return tuple(SealLevel).index(self)

    def is_at_least(self, goal: "SealLevel") -> bool:
        """Returns whether this level is `goal` or higher."""
        return self.rank >= goal.rank


class Seal(FrozenModel):
    """The validated level of a seal, and its target level."""

    level: SealLevel
    goal: SealLevel
