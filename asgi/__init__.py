"""The base of all HTTP interfaces: dependencies, bodies, error responses, rate limits.

`api` and `web` import it; it imports neither.
"""
