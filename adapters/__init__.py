"""Implementations of `ports` for everything outside the process: stores, mail, keys, child processes, Temporal.

One test suite for each protocol runs on the implementation and on its fake.
"""
