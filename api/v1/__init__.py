"""The v1 API: one router for each resource."""
