"""A small repository whose facts are shared, and what lies in its cache and in a place of shared facts."""

from pathlib import Path

from zeroin.corpus.source import open_source
from zeroin.index.gather import identify, key_of
from zeroin.index.store import Store
from zeroin.kept_indexes import build_index

FILES = {
    f"shop/{name}.py": f'"""How a {name} is kept."""\n\n\ndef open_{name}(customer):\n    return customer.{name}\n'
    for name in ("invoice", "parcel", "refund", "reminder", "tracker", "voucher")
}


def kept(root: Path) -> dict[tuple[str, str], bytes]:
    source = open_source(root)
    with Store.open(source.identity) as store:
        return store.facts(map(key_of, identify(source, store)[0]), lambda _, facts: facts.encode())


def folder_in(place: Path) -> Path:
    (folder,) = place.iterdir()
    return folder


def bundles(place: Path) -> list[Path]:
    return [path for path in folder_in(place).iterdir() if len(path.name) == 64]


def taken_from(url: str, root: Path) -> tuple[int, tuple[str, ...]]:
    report = build_index(root, jobs=1, facts=url)
    return report.analysed, report.warnings
