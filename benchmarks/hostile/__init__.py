"""What strangers may send: repositories full of tricks, texts that attack a reader, clients that misbehave.

`repositories` asks about trees of `tricks_git`, `tricks_files` and `tricks_sources`; `texts` asks about attempts to
mislead the ranking or whoever reads the answer; `servers` speaks to the MCP server. `watched` runs a command and looks
at all that it does; `escaped` looks at what it says. `python -m benchmarks.hostile` measures.
"""
