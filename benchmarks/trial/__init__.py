"""The trial: tasks of a stranger over repositories that nothing was tuned on, every claim of every answer judged.

The protocol is README.md, beside this file. `tasks` holds what is asked and what is right, `asking` runs the product,
`sheet` lists the claims of the answers, `scoring` counts what the labels say.
"""
