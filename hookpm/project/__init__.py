"""What a repository wants and has, and how to get there in one transaction."""
