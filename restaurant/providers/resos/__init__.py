"""The resOS provider."""
