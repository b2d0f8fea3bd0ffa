"""Bearing out: whether a proposed value follows from the operator's words, one module for each kind of value.

context    what a value is held against
days, people, contacts, names, choices, notes    the rules by kind
letters    what any value may be written in
"""
