"""Deterministic workflows of chats, plans and escalations. They import no layer above them."""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from language.locales import load_all
    from language.messages.catalogue import compile_all

load_all()
compile_all()
