"""The MCP server: the same engine and the same words for hosts that speak the Model Context Protocol.

Only `server` imports the package `mcp` (extra `zeroin[mcp]`); everything else here works without it.
"""
