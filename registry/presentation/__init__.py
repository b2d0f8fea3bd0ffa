"""The texts of an action for the operator: preview, observation, errors."""
