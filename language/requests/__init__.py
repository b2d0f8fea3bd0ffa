"""What a message asks for: verbs, cues, conditions, something new."""
