"""English words that may be a person's name, and those around numbers, see `language.redaction.vocabulary` and
`language.redaction.asked_for`."""

ALSO_NAMES = frozenset(
    """
    abbey alba amber angel april aria art ash august aurora autumn bacon baker bank banks barber basil bean bear
    bell belle ben berry bill bird bishop blanca bob bond bonny booker brand bravo brook buck bud buddy burns
    bush buster butcher butler candy carol carpenter carter cash chance chase christian christmas clay cliff
    cole cooper cross cruz daisy dale dan dawn day dean dee dolly don drake drew duke dusty earl easter eden
    elder elle em ember eve faith felice fern fiona fisher flora ford foster fox france frank freeman gale
    gardener gay gem gene georgia gill ginger glen gloria grace grant gray guy hale hall harmony harper hazel
    heath heather heaven hill holiday holly honey hope hunter iris ivy jack jade jan jasmine jay jean jet jewel
    jo job joe john joy jude jules jun june junior justice kay ken kid king kit knight lamb lance lane lark
    laurel lee leo lily linda little lord lou love lucia lucky luna maggie magnolia major marco maria marina
    mark marsh martin mason mat matt may mel melody mercy merry mia miles miller mina mo money moon moss myrtle
    nestor nick noble noel nova oak olive opal page paige palmer pansy park parker parks pat patience patty
    pearl penny pepper perla perry peter piper poppy porter potter price primo prince prudence queen quinn ray
    reed reef regina rex rich rick ricky ring rio river rob robin rocco rock rocky roman romeo rosa rose rowan
    roy ruby rusty sage sal sally salt sam sandy santa savannah scarlet scout sean serena shepherd singer sky
    smith sol sonny spencer star stella sterling sue summer sun sunny tailor tanner taylor ted terry tim tina
    tom toni tony tucker turner valentine van vera vic victor victory vida viola violet wade walker ward warren
    weaver webb wells west wheeler will willow wills win winter wise wolf wood woods woody worth young
    """.split()
)
"""First and last names that are words, too."""
MONTHS_AND_NAMES = frozenset("april may june august jan jun".split())
"""Months that are also names."""
ORDINAL = r"st|nd|rd|th"
NUMBER = r"numbers?"
NUMBER_OF = r"of"
