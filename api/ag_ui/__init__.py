"""The API for AG-UI 1.0 clients (`docs/ag-ui.md`): a thread is a session, a run handles one message or the answers to
open interrupts. It has no state of its own: any API process can build a run from the chat and its plans."""
