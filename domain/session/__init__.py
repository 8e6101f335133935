"""The state machine of a session: recipients, fields, links and reminders; the materials of its signed PDFs."""
