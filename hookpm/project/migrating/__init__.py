"""Hooks that people already have, into the hooks file and back."""
