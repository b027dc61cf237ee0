"""Files that git could not merge."""
