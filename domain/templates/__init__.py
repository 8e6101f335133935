"""Templates of sessions, and their variables."""
