"""PDF signatures (PAdES) as functions over bytes. Untrusted files are read in child processes only.

No key, network and session belongs here: `adapters.sealing` has keys and timestamps, `application` the documents.
"""
