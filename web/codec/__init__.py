"""The endpoint at which the Temporal UI and its command line have payloads decrypted, for operators who signed in."""
