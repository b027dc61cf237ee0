"""What agents run: finds the matching hooks, runs them and answers in the agent's own form."""
