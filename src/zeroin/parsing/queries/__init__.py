"""Tree-sitter queries, one a language: what defines, imports, comments and quotes."""
