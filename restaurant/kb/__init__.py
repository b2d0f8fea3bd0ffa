"""The restaurants that ship with the service: data alone."""
