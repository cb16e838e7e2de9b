"""Making zeroin known to the coding agents of this machine, and taking it away again."""
