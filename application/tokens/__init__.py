"""Access tokens and ID tokens, of this service and of others: written, read and checked. No use case belongs here."""
