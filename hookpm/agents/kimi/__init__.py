"""Kimi Code: facts, wiring, translation."""
