"""A package, so that pytest puts no folder of it on the path, where `agents` and `mcp` would pass for the libraries."""
