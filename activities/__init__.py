"""The effects of a session. Workflows import `interface` only; the other modules implement it."""
