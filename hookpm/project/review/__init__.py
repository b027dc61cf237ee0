"""What is new in what will run: shown before anything is written."""
