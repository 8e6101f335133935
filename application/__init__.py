"""Use cases of API clients, recipients, users and operators.

They import no web framework, no SQL and no Temporal SDK. They reach the outside through `ports`, whose implementations
`api.composition` chooses.
"""
