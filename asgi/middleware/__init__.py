"""ASGI middleware, in the order that `api.app` gives it."""
