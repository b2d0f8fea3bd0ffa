"""Requests and responses of the nine tools."""
