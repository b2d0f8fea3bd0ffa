"""The OctoTable provider."""
