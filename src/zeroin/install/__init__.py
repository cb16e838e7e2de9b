"""Makes zeroin known to the coding agents of this machine, and takes it away again.

`hosts` is the table of hosts and finds them, `plan` says what would change and does it; `entries` changes our entry in
a configuration file, `owned` text of ours, `texts` holds that text.
"""
