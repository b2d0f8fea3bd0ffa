"""Orders in an operator's message: clauses, mentions, values, changes to an earlier order."""
