"""How the Temporal SDK is set up: connection, payload encryption, failure conversion, interceptors.

Not replayed, but both sides of every payload.
"""
