"""The door for AG-UI 1.0 clients (`docs/ag-ui.md`): a thread is a session, a run is what comes of one message or of the
answers to what waits. It keeps nothing: every run is told from the chat and its plans, whichever facade is asked."""
