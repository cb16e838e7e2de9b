"""Task → Query: told apart by kind of text, weighted, and nothing read but the task itself."""
