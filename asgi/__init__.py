"""What every HTTP interface shares: dependencies, bodies, error responses, rate limits.

`api` and `web` import it; it imports neither.
"""
