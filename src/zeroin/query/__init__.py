"""Task → Query: splits a task into parts by kind of text, weighs what each names; reads the task alone."""
