"""Which Temporal a process works with, as the settings say it. Loads nothing of the SDK."""

from dataclasses import dataclass

from workflows.payload_keys import PayloadKey


@dataclass(frozen=True, slots=True)
class TemporalChoice:
    """What is None is left to Temporal's own configuration: `TEMPORAL_ADDRESS` and its like, or a profile in a file.

    `payload_keys`: the first encrypts what is given to Temporal, all decrypt; none means that nothing is encrypted.
    """

    address: str | None = None
    namespace: str | None = None
    payload_keys: tuple[PayloadKey, ...] = ()
