"""Access: clients trade their id and secret for short-lived access tokens (contract 2, decision 4)."""
