"""Immutable objects by name, in a directory or in a bucket of Google Cloud Storage."""
