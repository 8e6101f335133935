"""The state machine of a session, with recipients, fields, links and reminders."""
