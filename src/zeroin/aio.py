"""The same questions from asynchronous code: threads at the edge, nothing asynchronous inside."""
