"""The assistant-tool server at `/mcp`: operations of the API as tools, by the same functions (Specification 11)."""
