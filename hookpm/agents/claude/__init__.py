"""Claude Code: facts, wiring, translation."""
