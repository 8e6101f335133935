"""The seal of a signed PDF: what it is made from, what it states, and its PAdES level."""
