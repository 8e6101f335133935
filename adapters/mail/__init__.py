"""Outgoing mail: messages, SMTP, and the local outbox."""
