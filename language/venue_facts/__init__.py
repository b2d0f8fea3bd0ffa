"""Questions and statements about a venue."""
