"""What a team shares: profiles that a repo extends, what they require, and policies."""
