"""How to reach what runs elsewhere: plans and chats, venues, models, the published registry."""
