"""Packs run in a project of a moment: cases, and one call at a time."""
