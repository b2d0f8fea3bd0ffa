"""The page for restaurant staff."""
