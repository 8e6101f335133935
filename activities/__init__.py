"""The effects of a session. Workflows import `interface` only; the other modules implement it.

Use cases that requests share belong in `application`, and I/O in `adapters`.
"""
