"""Claude Code's hook protocol as values: events, input, answer, matcher, hooks file. No I/O."""
