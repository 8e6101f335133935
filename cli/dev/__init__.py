"""`undersign dev`: runs the whole service on one machine, with its own Temporal server."""
