"""Turns OpenAPI documents into operations and neutral schemas."""
