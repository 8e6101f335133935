"""The address, the namespace and the payload keys of the connection to Temporal, from the settings.

TLS comes from Temporal's own configuration (`workflows.sdk.connection`). Does not load the SDK.
"""

from dataclasses import dataclass, field

from workflows.sdk.payload_keys_setting import PayloadKey


@dataclass(frozen=True, slots=True)
class TemporalConfig:
    """The connection to Temporal. None: the value of Temporal's own configuration applies.

    The first of `payload_keys` encrypts; all decrypt.
    """

    address: str | None = None
    namespace: str | None = None
    payload_keys: tuple[PayloadKey, ...] = ()
    api_key: str | None = field(default=None, repr=False)
