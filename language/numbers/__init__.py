"""Counts, numbers and ordinals."""
