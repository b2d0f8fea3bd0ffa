"""Clients of the Temporal service for plans, chats and escalations."""
