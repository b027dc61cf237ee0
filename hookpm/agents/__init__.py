"""One folder per coding agent: facts, wiring and translation."""
