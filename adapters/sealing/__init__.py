"""Sealing PDFs: a PAdES signature of the service over the whole file.

Hostile bytes and secrets never meet. A child process writes the revision with room for the signature (`preparing`) and
opens the outcome again (`checking`); the process with the key and the network makes the signature in between, from the
hash alone (`sealer`, `signing`, `timestamps`).
"""
