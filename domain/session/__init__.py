"""The state machine of a session, and what it is made of: recipients, fields, links, reminders."""
