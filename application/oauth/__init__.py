"""OAuth 2.1: grants, tokens, registration, revocation (Specification 5.1, decision 4)."""
