"""Key files: the secret keys of the service, the keys of access tokens, and their rotation."""
