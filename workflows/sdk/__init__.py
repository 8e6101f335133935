"""The set-up of the Temporal SDK: connection, payload encryption, failure conversion, interceptors."""
