"""The chat workflow: its memory, and the turn of each message."""
