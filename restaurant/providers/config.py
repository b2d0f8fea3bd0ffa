"""A provider's configuration: keys from the environment, ids and addresses from the knowledge base.

A name may end in a restaurant's id, in capitals and with `_` for `-`: `IQ_RESOS_KEY_ROMA` is the key of `roma` and
takes precedence over `IQ_RESOS_KEY`. An empty value counts as not set.
"""

import os
from collections.abc import Iterator, Mapping

from infra.config.pack_variables import MissingVariableError, variable
from restaurant.knowledge import KnowledgeBase
from restaurant.providers.errors import NotConfiguredError


class Environment(Mapping[str, str]):
    """The environment, then `.env` for variables that it does not set."""

    def __getitem__(self, name: str) -> str:
        try:
            return variable(name)
        except MissingVariableError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(os.environ)

    def __len__(self) -> int:
        return len(os.environ)


class ProviderConfig:
    """The configuration of one restaurant's provider. `environment` holds the secrets; a knowledge base never does."""

    def __init__(self, kb: KnowledgeBase, environment: Mapping[str, str]) -> None:
        self._kb, self._environment = kb, environment
        self._suffix = kb.restaurant_id.upper().replace("-", "_")

    def get(self, name: str) -> str | None:
        """Return a variable of the environment, the restaurant's own first."""
        return self._environment.get(f"{name}_{self._suffix}") or self._environment.get(name) or None

    def need(self, name: str) -> str:
        """Return the same as `get`. Raises `NotConfiguredError` if it is not set."""
        found = self.get(name)
        if found is None:
            raise NotConfiguredError(f"{self._kb.restaurant_id}: {name} is not set")
        return found

    def option(self, key: str, name: str) -> str | None:
        """Return an option of the knowledge base, else a variable of the environment."""
        found = self._kb.provider_options.get(key)
        return self.get(name) if found in (None, "") else str(found)

    def number(self, key: str) -> int | None:
        """Return a numeric option of the knowledge base. Raises `NotConfiguredError` if it is not a number."""
        found = self._kb.provider_options.get(key)
        if found in (None, ""):
            return None
        try:
            return int(str(found))
        except ValueError:
            raise NotConfiguredError(f"{self._kb.restaurant_id}: provider_options.{key} is no number") from None
