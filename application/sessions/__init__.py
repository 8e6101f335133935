"""Signing sessions.

`session_actions` applies an action to a session durably, and starts its workflow run when it is sent.
`organisation_actions` are those of API clients and users: send, invite, archive, restore, delete. They check the
sending limits first. `session_reader` reads sessions.
"""
