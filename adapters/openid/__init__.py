"""OpenID issuers over HTTP: discovery, keys, and the exchange of codes for tokens."""
