"""The rules of signing in plain Python: no I/O, no clock, no framework.

It holds identifiers, the session and its recipients (a state machine), audit events, fields and errors. None of it
depends on a backend.
"""
