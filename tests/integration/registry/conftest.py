"""The ROLLER pack and copies of it to break, as the unit tests have them."""

from tests.unit.registry.conftest import folder, load, pack

__all__ = ["folder", "load", "pack"]
