"""OpenAI Codex CLI: facts, wiring, translation."""
