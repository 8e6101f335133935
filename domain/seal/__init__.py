"""The seal of a signed PDF: its statement and its PAdES level."""
