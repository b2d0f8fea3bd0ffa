"""The offline planner: an OpenAI-compatible server whose replies are rules, not a language model.

It plans from the tools it is sent (names, descriptions, examples, roles in words) and asks when any number, date,
address or action word of the operator's sentence is left unexplained. Face: `create_app`.
"""

from offline_planner.app import create_app

__all__ = ["create_app"]
