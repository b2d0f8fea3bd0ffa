"""E-mail addresses and phone numbers, written and spoken."""
