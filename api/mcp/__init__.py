"""The assistant-tool server at `/mcp`: what the API can, an assistant can, by the same functions (Specification 11)."""
