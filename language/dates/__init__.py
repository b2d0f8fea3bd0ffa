"""Days and times: a closed grammar over symbols. `language` has the public face.

lexer → rules (what each pattern reads) → settle (which readings stand) → days, clock → compose.
"""
