"""Creates, checks and finds templates, and creates sessions from them (Specification 2.14)."""
