"""VS Code's own agent (Copilot Chat): facts, wiring, translation."""
