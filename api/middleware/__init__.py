"""The middleware of every request: its id, its language, the limit of its body, the answer to an unexpected error."""
