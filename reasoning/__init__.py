"""Pure rules around a model: what it is told, and what of its answer counts."""
