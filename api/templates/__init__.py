"""Templates: made and checked, found, and filled to become sessions (contract 12)."""
