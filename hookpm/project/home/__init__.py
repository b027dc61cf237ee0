"""What is the user's own: user scope, the user bridge, and what was allowed."""
