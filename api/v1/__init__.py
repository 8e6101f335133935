"""The v1 API: one router a resource, with the schemas of what it takes and gives."""
