"""What was asked, kept so that it can be shown again, gone on with and argued with."""
