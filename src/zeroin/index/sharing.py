"""Share facts: a machine takes over facts of its files from another one instead of analysing them again.

A place that the user names holds *bundles*, immutable files of facts that only a machine with the same file can decrypt
(`sealing.py`), and a list of their contents. A place is not trusted: facts must agree with the file at hand
(`checking.py`), and a random sample of files is analysed here as well. If one of these differs, nothing taken from the
place is used. `docs/FORMAT.md` has the layout, `docs/SECURITY.md` the guarantees.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from hashlib import blake2b, sha256
from importlib import metadata
from math import inf
from random import SystemRandom

import msgspec

from zeroin.errors import CacheError, InputError
from zeroin.index.analysing import Item
from zeroin.index.checking import agree, checked, is_portable
from zeroin.index.gather import FEW_FILES, Effort, gather, items_of, key_of
from zeroin.index.places import Place, place_of, read_all, shown
from zeroin.index.sealing import Seal, seal_of
from zeroin.index.store import Key, Store
from zeroin.models.encoder import digest
from zeroin.parsing.facts import FACTS_VERSION, Facts
from zeroin.parsing.grammars import GRAMMAR_MODULES
from zeroin.patterns import lazy_pattern
from zeroin.protocols import Source
from zeroin.terms import ANALYSER_VERSION
from zeroin.tree import Entry

SHARED_VERSION = 1
LIST = "list"
_BUNDLE = lazy_pattern(r"[0-9a-f]{64}")
_ID_BYTES = 16
BUNDLE_BYTES = 4_000_000  # from this size on a bundle is written
_MOST_BUNDLE = 16_000_000
_MOST_LIST = 64_000_000  # four million files
_WAIT_S = 10.0  # to wait for a place …
_FILE_S = 0.01  # … and for each file so much more, as analysing it would take
_LISTING_S = 30.0  # to wait for a place while bundles are read that its list lacks
_SHARE = 0.4  # of the time left until a deadline: what taking facts may use
_REST_S = 300.0  # after a place has failed, it is not asked for so long
_ROUNDS = 10  # tries to write a list that others write at the same time
_AT_ONCE = 256  # files that are sealed at once

# By bundle: its size in bytes, and the concatenated names of the seals in it.
_Listed = dict[str, tuple[int, bytes]]
_resting: dict[str, float] = {}  # places that have failed, and until when (monotonic) they are left alone


class _Forged(ValueError):
    """Facts that do not agree with their file, although they are sealed with it."""


@cache
def version() -> bytes:
    """Return a digest of all that facts of a file depend on: our formats, the encoder, the grammars and the stemmer."""
    parts = [SHARED_VERSION, FACTS_VERSION, ANALYSER_VERSION, digest()]
    for name in ("PyStemmer", "tree_sitter", *GRAMMAR_MODULES):
        try:
            parts.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return blake2b(repr(parts).encode(), digest_size=16).digest()


def _opened(url: str) -> Place:
    return place_of(url, f"zeroin-{version().hex()}")


# --- taking -----------------------------------------------------------------------------------------


def take(
    url: str, source: Source, store: Store, entries: Iterable[Entry], effort: Effort, least: int = FEW_FILES
) -> int:
    """Take facts from a place into the store, for entries without facts, where these are `least` or more.

    A place that fails is not asked for a while, with one warning. Its contents never raise. Returns how many files were
    analysed here and not found equal there.
    """
    found = {key_of(entry): entry for entry in entries if entry.blob}
    known = store.known(found)
    lacking = {key: entry for key, entry in found.items() if key not in known}
    now = time.monotonic()
    if len(lacking) < least or not store.writable or now < _resting.get(url, 0.0):
        return 0
    here: dict[Key, Facts] = {}
    try:
        damaged = _take(_opened(url), source, store, lacking, here, replace(effort, deadline=effort.until(_SHARE)))
        why = f"{damaged:,} bundles or facts are damaged" if damaged else ""
    except FileNotFoundError:
        why = "it has none for this version of zeroin, its encoder and its grammars"
    except (OSError, ValueError, InputError) as error:
        why = _reason(error)
    if why:
        _resting[url] = time.monotonic() + _REST_S
        store.warnings.append(f"not all facts could be taken from {shown(url)} ({why}): zeroin analyses the rest")
    return len(here)


def _take(
    place: Place, source: Source, store: Store, lacking: Mapping[Key, Entry], here: dict[Key, Facts], effort: Effort
) -> int:
    """Return how many bundles or facts are damaged. Raises `OSError`, and `ValueError` for forged facts.

    `here` gets the facts of the sample that is analysed here, and loses those that are equal there.
    """
    listed = _listed(place, effort.deadline)
    names = {_seal(item).name: item.key for item in items_of(source, partial(list, lacking.values()), {})}
    wanted = _wanted(listed, names)
    keys = [key for part in wanted.values() for key in part]
    if not keys:
        return 0
    some = SystemRandom().sample(keys, min(len(keys), FEW_FILES - 1, max(4, len(keys) // 50)))
    here |= gather(source, store, [lacking[key] for key in some], effort).facts
    taken: list[Key] = []
    damaged = 0
    try:
        sizes = {name: listed[name][0] for name in wanted}
        for name, data in read_all(place, sizes, _WAIT_S + _FILE_S * len(keys), effort.deadline):
            if isinstance(data, TimeoutError):
                raise data
            bundle = {} if isinstance(data, OSError) else _bundle(name, data)
            damaged += not bundle
            batch: dict[Key, bytes] = {}
            for item in items_of(source, partial(list, [lacking[key] for key in wanted[name]]), {}):
                seal = _seal(item)
                try:
                    encoded = seal.opened(bundle[seal.name])
                except (KeyError, ValueError):
                    damaged += bool(bundle)
                    continue
                try:
                    facts = checked(encoded, item.data, item.language)
                except ValueError as error:
                    raise _Forged(str(error)) from error
                own = here.get(item.key)
                if own is None:
                    batch[item.key] = encoded
                elif is_portable(own) and not agree(own, facts):
                    raise _Forged("zeroin finds others")
                else:
                    del here[item.key]
            store.put_facts(batch)
            taken += batch
            effort.progress("taking facts of", len(taken), len(keys))
    except _Forged as error:
        store.forget(taken)
        raise ValueError(f"facts there are not those of the files, so none is used: {error}") from error
    return damaged


def _wanted(listed: _Listed, names: Mapping[bytes, Key]) -> dict[str, list[Key]]:
    """Return the keys to take from each bundle, the fullest bundle first (a greedy set cover)."""
    found = {name: [names[i] for i in _ids(ids) if i in names] for name, (_, ids) in listed.items()}
    left = set(names.values())
    out: dict[str, list[Key]] = {}
    for name in sorted(found, key=lambda name: (-len(found[name]), name)):
        if part := [key for key in dict.fromkeys(found[name]) if key in left]:
            out[name] = part
            left.difference_update(part)
    return out


# --- giving -----------------------------------------------------------------------------------------


def give(url: str, source: Source, store: Store, entries: Sequence[Entry]) -> int:
    """Add to a place the facts of entries that it lacks; returns their number. Raises `CacheError`, `InputError`.

    Bundles never change and the list is derived from them, so several processes may give at once, and one that is
    killed loses only what it had not yet written.
    """
    found: _Listed = {}
    try:
        place = _opened(url)
        there = {i for _, ids in _relisted(place, found).values() for i in _ids(ids)}
        before, size, bundle = len(there), 0, dict[bytes, bytes]()
        for name, facts in _sealed(source, store, entries, there):
            bundle[name] = facts
            there.add(name)
            size += len(facts)
            if size >= BUNDLE_BYTES:
                found |= _write(place, bundle)
                size, bundle = 0, {}
        if bundle:
            found |= _write(place, bundle)
        for _ in range(_ROUNDS):
            listed = _relisted(place, found)
            if listed == _kept(place):
                break
            place.write(LIST, msgspec.msgpack.encode(listed))
    except OSError as error:
        raise CacheError(f"no facts can be kept in {shown(url)}: {_reason(error)}") from error
    return len(there) - before


def _reason(error: Exception) -> str:
    """Return the system's words for an error, without its number and the names of our own files."""
    inner = getattr(error, "reason", error)  # of a URLError
    return getattr(inner, "strerror", None) or str(inner)


def _write(place: Place, bundle: Mapping[bytes, bytes]) -> _Listed:
    data = msgspec.msgpack.encode(bundle)
    name = sha256(data).hexdigest()
    place.write(name, data)
    return {name: (len(data), b"".join(bundle))}


def _sealed(source: Source, store: Store, entries: Sequence[Entry], there: set[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield name of the seal and sealed facts of entries that are not `there`; none that `checked` would refuse."""
    distinct = [*{key_of(entry): entry for entry in entries if entry.blob}.values()]
    for at in range(0, len(distinct), _AT_ONCE):
        some = distinct[at : at + _AT_ONCE]
        facts = store.facts(map(key_of, some), lambda _, facts: facts.encode())
        for item in items_of(source, partial(list, some), {}):
            seal = _seal(item)
            if seal.name in there or item.key not in facts:
                continue
            try:
                checked(facts[item.key], item.data, item.language)
            except ValueError:
                continue
            yield seal.name, seal.closed(facts[item.key])


def _relisted(place: Place, found: _Listed) -> _Listed:
    """Return the list of all intact bundles of a place.

    Bundles that its own list lacks are read and added to `found`, so that each is read once; one that cannot be read
    in time is added with size 0.
    """
    names = [name for name in place.names() if _BUNDLE.fullmatch(name)]
    listed = found | _kept(place)
    new = {name: _MOST_BUNDLE for name in names if name not in listed}
    found.update(dict.fromkeys(new, (0, b"")))
    for name, data in read_all(place, new, _LISTING_S):
        bundle = {} if isinstance(data, OSError) else _bundle(name, data)
        if bundle and isinstance(data, bytes):
            found[name] = len(data), b"".join(bundle)
    listed |= {name: found[name] for name in new}
    return {name: listed[name] for name in names if name in listed and listed[name][0]}


def _kept(place: Place) -> _Listed:
    try:
        return _listed(place)
    except (FileNotFoundError, ValueError):  # none yet, or a damaged one: it is rebuilt from the bundles
        return {}


# --- both -------------------------------------------------------------------------------------------


def _seal(item: Item) -> Seal:
    return seal_of(item.data, item.language, version())


def _listed(place: Place, deadline: float = inf) -> _Listed:
    """Return the list of a place. Raises `OSError`, and `ValueError` for a malformed one."""
    ((_, data),) = read_all(place, {LIST: _MOST_LIST}, _WAIT_S, deadline)
    if isinstance(data, OSError):
        raise data
    try:
        listed = msgspec.msgpack.decode(data, type=_Listed)
    except msgspec.DecodeError as error:
        raise ValueError(f"its list is damaged: {error}") from error
    if not all(_BUNDLE.fullmatch(name) and 0 < size <= _MOST_BUNDLE for name, (size, _) in listed.items()):
        raise ValueError("its list names what is no bundle")
    return listed


def _bundle(name: str, data: bytes) -> dict[bytes, bytes]:
    """Return sealed facts by the names of their seals; empty if the digest of `data` is not the bundle's name."""
    if sha256(data).hexdigest() != name:
        return {}
    try:
        return msgspec.msgpack.decode(data, type=dict[bytes, bytes])
    except msgspec.DecodeError:
        return {}


def _ids(joined: bytes) -> Iterator[bytes]:
    return (joined[at : at + _ID_BYTES] for at in range(0, len(joined), _ID_BYTES))
