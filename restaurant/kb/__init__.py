"""The restaurants that ship with the service: only data."""
