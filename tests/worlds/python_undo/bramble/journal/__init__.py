"""What is needed to revert changes."""

from bramble.journal.inverse import inverse_of
from bramble.journal.revert_journal import JournalEntry, RevertJournal

__all__ = ["JournalEntry", "RevertJournal", "inverse_of"]
