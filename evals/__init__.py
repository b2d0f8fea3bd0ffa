"""Scores of the resolver and a planner on case files: `iq eval when FILE`, `iq eval utterances FILE`."""
