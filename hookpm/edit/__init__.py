"""Edits to other people's JSON and TOML that keep every other byte."""
