"""Logs, spans, Prometheus metrics and Langfuse."""
