"""Where the learned ranking comes from: tasks mined from public history, and what is fitted on them."""
