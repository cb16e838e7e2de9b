"""The MCP server: the engine's question, continuation and glossary as three read-only tools."""
