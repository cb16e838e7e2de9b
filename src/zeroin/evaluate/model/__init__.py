"""Models: features → log odds. Learned trees for tasks in words; a linear model for the first pass and the rest."""
