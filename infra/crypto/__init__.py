"""Keys, and the codec of Temporal's payloads."""
