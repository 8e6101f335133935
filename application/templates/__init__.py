"""Templates: made and checked, found, and filled to become sessions (Specification 2.14)."""
