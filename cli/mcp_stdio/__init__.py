"""`undersign mcp`: serves the assistant tools over standard input and output."""
