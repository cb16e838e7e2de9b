"""What works on this machine, and what to do about what does not: `zeroin doctor`."""
