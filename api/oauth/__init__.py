"""The token endpoint and the other routes of OAuth 2.1."""
