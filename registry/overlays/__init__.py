"""Compiles overlay files and their operations into `AtomicAction`s."""
