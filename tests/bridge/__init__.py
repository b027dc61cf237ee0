"""The vendored bridge, run as agents run it."""
