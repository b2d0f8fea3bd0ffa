"""Selects the relevant ones among hundreds of actions."""
