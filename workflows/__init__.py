"""Deterministic orchestration: chats, plans and the saga; below everyone who starts or talks to them."""
