"""The base of all HTTP interfaces: dependencies, bodies, error responses, rate limits.

`api` and the pages import it; it imports neither.
"""
