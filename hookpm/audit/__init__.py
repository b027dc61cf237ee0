"""Capability gaps: what a pack needs and an agent does not do."""
