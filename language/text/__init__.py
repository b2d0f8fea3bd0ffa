"""Normalising, splitting and correcting words."""
