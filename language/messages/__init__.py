"""The sentences that operators read, and how they are filled in."""
