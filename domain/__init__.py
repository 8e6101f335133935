"""The rules of signing in plain Python, the ports to what is outside, and the rules for texts.

No I/O, no clock and no framework belongs here: implementations of ports are in `adapters`, use cases in `application`.
"""
