"""How well the resolver and a planner do on case files: `iq eval when FILE`, `iq eval utterances FILE`."""
