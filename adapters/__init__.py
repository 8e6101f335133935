"""Implementations of `domain.ports` for everything outside the process: stores, mail, keys, child processes, Temporal.

No rule of signing and no use case belongs here. One test suite for each protocol runs on the implementation and on its
fake.
"""
