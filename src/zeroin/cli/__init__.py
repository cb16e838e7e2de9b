"""The command line: it parses, calls the engine and prints."""
