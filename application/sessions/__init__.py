"""Use cases of signing sessions."""
