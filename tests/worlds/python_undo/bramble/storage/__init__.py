"""Files: reading, writing, backups."""
