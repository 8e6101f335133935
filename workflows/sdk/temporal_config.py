"""The address, the namespace and the payload keys of the connection to Temporal, from the settings.

TLS and the API key come from Temporal's own configuration (`workflows.sdk.connection`). Does not load the SDK.
"""

from dataclasses import dataclass

from workflows.sdk.payload_keys import PayloadKey


@dataclass(frozen=True, slots=True)
class TemporalConfig:
    """None leaves a value to Temporal's own configuration. `payload_keys`: the first encrypts, all decrypt."""

    address: str | None = None
    namespace: str | None = None
    payload_keys: tuple[PayloadKey, ...] = ()
