"""Local stand-ins for systems the project does not own, each a real HTTP server."""
