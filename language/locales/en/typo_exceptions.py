"""Ordinary English words and names that lie one letter away from the name of a day, a month or a part of the day."""

NO_SLIPS = (
    "sundae sundry sundar sunda sunway sunray sundal sunjay sanday sonday frida munday monda mondal mondai mondas "
    "mourning moaning mooring mooning morling eventing augusta auguste augusto augusti augusts tonights"
)
