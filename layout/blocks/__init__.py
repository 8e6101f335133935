"""The kinds of blocks. A block measures itself and lays itself out."""
