"""hookpm: a package manager for hook packs of coding agents."""

__version__ = "0.1.0"
