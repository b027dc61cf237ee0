"""Gemini CLI: facts, wiring, translation."""
