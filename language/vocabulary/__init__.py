"""The thesaurus, and the words that introduce secrets."""
