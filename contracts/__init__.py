"""The nouns: what stands in histories and on the wire, and the signatures of activities."""
