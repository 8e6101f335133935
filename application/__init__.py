"""Use cases of API clients, recipients, users and operators.

They import no web framework, no SQL and no Temporal SDK. They do I/O through the protocols of `ports`, whose
implementations `api.composition` selects.
"""
