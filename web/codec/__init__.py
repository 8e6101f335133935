"""The endpoint that decrypts payloads for the Temporal UI and command line, for signed-in operators."""
