"""`undersign assistant`: the assistant tools over standard input and output."""
