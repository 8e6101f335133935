"""The OpenAPI description of the API, and its page."""
