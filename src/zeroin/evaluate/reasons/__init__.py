"""Why a file has its relevance, in sentences with evidence."""
