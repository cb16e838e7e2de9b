"""Several repositories in one question: members, which of them the task is about, and their trees as one."""
