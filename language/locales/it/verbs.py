"""Italian verbs of high-risk actions and of notes in plain letters, see `language.requests.verbs`. Phrases are parted
by "|"."""

CANCEL = """
    annulla annullamento cancellazione
    annullala annullalo annullare annullata annullato annullano annulli disdire disdici disdetta disdetto
    disdice disdicono disdica cancella cancellala cancellare cancellata cancelli elimina eliminala eliminare togli
    toglimi toglietemi levami cancellami annullami disdicimi eliminami
    toglila togliamola togliere rimuovi cassa cassala
"""
CANCEL_PHRASES = """
    non vengono|non viene|non verranno|non si fa|non vengono piu|e saltata|e saltato|salta|
    hanno rinunciato|ha rinunciato|non se ne fa niente|non se ne fa piu|non se ne fa nulla|non si fa piu
"""
NOTE = "annota annotazione nota note segna segnala segnati appunto appunta scrivi"
