"""What keeps hooks from running, and the command that mends it."""
