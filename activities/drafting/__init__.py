"""The draft activity: turns model calls into steps with previews."""
