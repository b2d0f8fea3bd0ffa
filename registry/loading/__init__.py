"""Reads packs safely, caches them, and falls back to the last good version where a file is broken."""
