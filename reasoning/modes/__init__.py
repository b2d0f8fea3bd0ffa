"""Prompts a model in standard and in adaptive mode, and reads its reply."""
