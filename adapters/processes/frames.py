"""What the parent, the fork server and the children write to each other: messages on a socket, frames on pipes."""

import os
import struct

FORK, KILL = b"F", b"K"

MESSAGE = struct.Struct("!cQ")
"""A message: `FORK` or `KILL`, and the id of a child. The response to `FORK` is a message with the id."""

_LENGTH = struct.Struct("!Q")

MAX_FRAME = 512 * 1024**2
"""Maximum size of a frame in bytes: a child cannot fill the memory of its parent."""


def read_frame(pipe: int) -> bytes:
    """Returns the bytes of the next frame. Raises `EOFError` at the end of the pipe, `OSError` for a long frame."""
    (length,) = _LENGTH.unpack(_read(pipe, _LENGTH.size))
    if length > MAX_FRAME:
        raise OSError("the frame is too long")
    return _read(pipe, length)


def write_frame(pipe: int, data: bytes) -> None:
    """Writes `data` as one frame. Raises `OSError` if nothing reads the pipe."""
    for part in (_LENGTH.pack(len(data)), data):
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(pipe, rest) :]


def _read(pipe: int, length: int) -> bytes:
    parts: list[bytes] = []
    while length:
        part = os.read(pipe, min(length, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
