"""The checks that run when a pack is loaded."""
