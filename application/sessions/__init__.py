"""Signing sessions.

`session_actions` applies an action to a session durably, and starts the workflow run when the session is sent.
`organisation_actions` are the actions of API clients and users: send, invite, archive, restore, delete. They check the
sending limits first. `session_reader` reads sessions.
"""
