"""A module that takes more than a second to load."""

import time
from hashlib import pbkdf2_hmac

_BEGUN = time.monotonic()
while time.monotonic() - _BEGUN < 1.5:
    pbkdf2_hmac("sha256", b"", b"", 10_000)
