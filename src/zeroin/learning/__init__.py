"""What turned out relevant in a repository, kept on this machine for the next question there."""
