"""Google Antigravity: facts, wiring, translation."""
