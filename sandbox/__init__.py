"""Simulations of systems that the project does not own, each a real HTTP server."""
