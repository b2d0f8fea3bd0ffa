"""Identifies secrets by name and value, and keeps a model's values away from them."""
