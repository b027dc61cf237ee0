"""Cline: facts, wiring, translation."""
