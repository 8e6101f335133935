"""Use cases: what API clients, recipients, people of an organisation and operators do.

They import no web framework, no SQL and no Temporal SDK. They reach the outside through `ports`, whose implementations
`api.composition` chooses.
"""
