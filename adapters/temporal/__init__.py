"""The embedded Temporal server of one machine. A cluster needs nothing of this: its address is a setting."""
