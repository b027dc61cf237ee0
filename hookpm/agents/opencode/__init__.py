"""OpenCode: facts, wiring with a plugin, translation."""
