"""Making zeroin known to the coding agents of this machine, and taking it away again.

`hosts` is the table of hosts, `places` finds them, `plan` says what would change and does it; one editor for each
kind of file (`json_file`, `toml_file`, `markdown_file`, `whole_file`) changes our entry alone; `receipts` remembers
what was written, so that it can be taken back byte for byte.
"""
