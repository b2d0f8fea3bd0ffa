"""These tests make a venue fail in every way and wait until nobody looks again. How often is looked is the product's
own; only the pauses between are shorter here. `tests/activities`, `tests/processes` and `make chaos` wait in full.
"""

from collections.abc import Iterator

import pytest

from activities import steps, undo


@pytest.fixture(scope="module", autouse=True)
def _looking_quickly() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "_LOOK_EVERY", steps._LOOK_EVERY / 5)
        for module, name in ((steps, "_LOOKS_AGAIN"), (steps, "_SHOWS_WITHIN"), (undo, "_SHOWS_WITHIN")):
            patch.setattr(module, name, tuple(pause / 10 for pause in getattr(module, name)))
        yield
