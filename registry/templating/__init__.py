"""Renders `{{ … }}` to values: parsing, filters, limits."""
