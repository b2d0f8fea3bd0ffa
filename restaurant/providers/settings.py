"""What a provider is told from outside: keys from the environment, ids and addresses from the knowledge base.

A name may end in a restaurant's id, in capitals and with `_` for `-`: `IQ_RESOS_KEY_ROMA` is `roma`'s own key and comes
before `IQ_RESOS_KEY`. Empty is not set.
"""

import os
from collections.abc import Iterator, Mapping

from infra.variables import MissingVariableError, variable
from restaurant.knowledge import KnowledgeBase
from restaurant.providers.errors import NotConfiguredError


class Environment(Mapping[str, str]):
    """The environment, and `.env` where it says nothing."""

    def __getitem__(self, name: str) -> str:
        try:
            return variable(name)
        except MissingVariableError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(os.environ)

    def __len__(self) -> int:
        return len(os.environ)


class Told:
    """What one restaurant's provider is told. `environment` holds the secrets; a knowledge base never does."""

    def __init__(self, kb: KnowledgeBase, environment: Mapping[str, str]) -> None:
        self._kb, self._environment = kb, environment
        self._suffix = kb.restaurant_id.upper().replace("-", "_")

    def get(self, name: str) -> str | None:
        """A variable of the environment, the restaurant's own first."""
        return self._environment.get(f"{name}_{self._suffix}") or self._environment.get(name) or None

    def need(self, name: str) -> str:
        """The same. Raises `NotConfiguredError` where it is not set."""
        found = self.get(name)
        if found is None:
            raise NotConfiguredError(f"{self._kb.restaurant_id}: {name} is not set")
        return found

    def option(self, key: str, name: str) -> str | None:
        """An option of the knowledge base, else a variable of the environment."""
        found = self._kb.provider_options.get(key)
        return self.get(name) if found in (None, "") else str(found)

    def number(self, key: str) -> int | None:
        """An option of the knowledge base that is a number. Raises `NotConfiguredError` where it is none."""
        found = self._kb.provider_options.get(key)
        if found in (None, ""):
            return None
        try:
            return int(str(found))
        except ValueError:
            raise NotConfiguredError(f"{self._kb.restaurant_id}: provider_options.{key} is no number") from None
