"""Cursor: facts, wiring, translation."""
