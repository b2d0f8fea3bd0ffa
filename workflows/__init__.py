"""Deterministic orchestration: chats, plans and the saga; below everyone who starts or talks to them."""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from language.catalogue import compile_all

compile_all()
