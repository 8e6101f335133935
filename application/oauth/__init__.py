"""Access: clients trade their id and secret for short-lived access tokens (Specification 5.1, decision 4)."""
