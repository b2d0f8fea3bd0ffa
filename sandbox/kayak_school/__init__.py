"""A tiny invented venue, a kayak school, for a first pack (`overlays/README.md`)."""

from sandbox.kayak_school.app import DOCUMENT, create_app

__all__ = ["DOCUMENT", "create_app"]
