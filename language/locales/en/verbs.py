"""English verbs of high-risk actions and of notes in plain letters, see `language.requests.verbs`. Phrases are parted
by "|"."""

CANCEL = """
    cancel cancels cxl canx cancelled canceled cancelling canceling cancellation
    scrap scrapped delete deleted bin binned kill
    void voided axe axed remove wipe dissolve pull
"""
CANCEL_PHRASES = """
    call off|called off|calling off|call it off|called it off|calling it off|
    isnt happening|is not happening|not happening|not going ahead|
    not be going ahead|wont go ahead|will not go ahead|not be happening|strike it|
    isnt going ahead|is off|are off|its off|not coming any more|not coming anymore|no longer coming|arent coming|
    are not coming|is not coming|isnt coming|wont be coming|pulled out|pull out|pulling out|pull the pin|
    take off the books|take it off|get rid of|let go|not going to make it|cant make it|cannot make it|cant come|
    have bailed|has bailed
"""
NOTE = "note notes noted remark memo jot write writes"
NOTE_PHRASES = "write down|write that|put down that|make a note"
