"""Use cases of API clients, recipients, users and operators; schemas of the API, stamping and translations.

No web framework, no SQL and no Temporal SDK belongs here. Use cases do I/O through the protocols of `domain.ports`;
`api.composition` selects their implementations.
"""
