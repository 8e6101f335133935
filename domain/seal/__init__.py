"""The seal of a signed PDF: its materials, its statement and its PAdES level."""
