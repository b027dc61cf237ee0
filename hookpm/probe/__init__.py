"""Real agents driven against a scripted model on loopback."""
