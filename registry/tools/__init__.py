"""The model's view of an action and of its inputs."""
