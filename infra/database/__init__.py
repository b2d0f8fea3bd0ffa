"""Migrations of the ledger and the restaurant's tables."""
