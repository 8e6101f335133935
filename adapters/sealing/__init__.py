"""Sealing PDFs: a PAdES signature of the service over the whole file.

Untrusted bytes and secrets are kept apart. A child process writes the revision with a signature placeholder and
validates the result (`pades`). The process with the key and the network signs the hash in between (`sealer`).
"""
