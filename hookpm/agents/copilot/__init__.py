"""GitHub Copilot CLI: facts, wiring, translation."""
