"""The MCP server at `/mcp`. Its tools call the same functions as the operations of the API (Specification 11)."""
