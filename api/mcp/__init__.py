"""The API for clients of the Model Context Protocol: `docs/mcp.md`."""
