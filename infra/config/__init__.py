"""The settings and the names of their environment variables."""
