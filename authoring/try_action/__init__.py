"""`iq actions try`: one action against a real venue, step by step."""
