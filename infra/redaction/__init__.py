"""Redaction of traces: removes personal data before a sink receives a record."""
