"""Turns values into HTTP requests and parses error bodies."""
