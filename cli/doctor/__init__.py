"""`undersign doctor`: checks all dependencies of an installation, with advice on failures."""
