"""A model's assessment of itself, and the second call that judges a plan."""
