"""Event streams of plans and chats."""
