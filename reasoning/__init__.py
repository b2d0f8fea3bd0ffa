"""Pure rules around a model: what its prompt contains, and which parts of its answer are accepted."""
