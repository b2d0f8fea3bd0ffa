"""The door for clients that speak the model context protocol: `docs/mcp.md`."""
