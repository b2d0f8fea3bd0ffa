"""Which words of a message a trace may show."""
