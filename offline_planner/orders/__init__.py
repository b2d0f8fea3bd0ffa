"""From an operator's message to orders: clauses, mentions, values, changes to an earlier order."""
