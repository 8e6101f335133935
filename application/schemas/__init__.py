"""Schemas of the v1 API: camelCase members, RFC 3339 times, strict requests."""
