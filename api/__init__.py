"""JSON over HTTP: the v1 API, the token endpoint, assistant tools, health. `api.app` assembles it with `web`.

HTML belongs in `web`, and use cases in `application`.
"""
