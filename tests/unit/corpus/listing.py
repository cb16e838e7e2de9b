"""What a source lists and reads, as plain values."""

from zeroin.corpus.git import blob_id
from zeroin.tree import Entry


def paths(source) -> list[str]:
    return [entry.path for entry in source.list()[0]]


def reasons(source) -> dict[str, str]:
    return {item.path: item.reason for item in source.list()[1]}


def contents(source) -> dict[str, bytes | None]:
    return {entry.path: data for entry, data in source.read(source.list()[0])}


def hashed(source) -> list[Entry]:
    """Entries with every blob known, as the index makes them."""
    return [Entry(e.path, e.blob or blob_id(data or b""), e.size, e.stat) for e, data in source.read(source.list()[0])]
