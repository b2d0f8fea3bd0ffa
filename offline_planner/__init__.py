"""The offline planner: an OpenAI-compatible server whose replies follow rules, not a language model.

It plans from the tools it receives (names, descriptions, examples, roles in words) and asks when any number, date,
address or action word of the operator's sentence remains unexplained. Entry point: `create_app`.
"""

from offline_planner.app import create_app

__all__ = ["create_app"]
