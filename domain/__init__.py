"""The rules of signing in plain Python: no I/O, no clock, no framework."""
