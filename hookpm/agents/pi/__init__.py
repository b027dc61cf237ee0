"""Pi: facts, wiring with an extension, translation."""
