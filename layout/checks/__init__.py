"""Checks of a document that is laid out: issues, which block sending, and warnings."""
