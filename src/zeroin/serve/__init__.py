"""A process that stays: `zeroin serve` runs the commands of one user without the wait for Python and the models.

`client` is what every command looks at first, so it imports next to nothing. `process` forks one process a command.
`wire` is what they say to each other.
"""
