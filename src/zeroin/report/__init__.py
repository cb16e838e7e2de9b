"""One self-contained HTML page that shows how an answer came about."""
