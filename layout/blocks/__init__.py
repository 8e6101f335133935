"""The kinds of blocks, one file each. A block measures itself and lays itself out."""
