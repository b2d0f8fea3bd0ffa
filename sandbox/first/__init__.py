"""A tiny venue that does not exist, a kayak school, for a first pack of one's own (`overlays/README.md`)."""

from sandbox.first.app import DOCUMENT, create_app

__all__ = ["DOCUMENT", "create_app"]
