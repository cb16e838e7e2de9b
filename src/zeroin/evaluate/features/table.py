"""All features, as `columns.txt` lists them: what each is evidence of, its weight in the linear model, meaning, unit.

A section is a module of this folder; the order is the order of the columns. A column that is not in the table, or is
never computed, is an error.
"""

from typing import NamedTuple

from zeroin.beside import text_beside

# A model names the version of the features that it was trained on; another version is refused.
FEATURES_VERSION = 5

NONE, ROLE, RESTATED = "-", "role", "restated"
RETRIEVAL = "retrieval"


class Feature(NamedTuple):
    """One line of the table."""

    section: str
    evidence: str
    words: float
    change: float


def _read(table: str) -> dict[str, Feature]:
    out: dict[str, Feature] = {}
    section = ""
    for line in table.split("\n"):
        if line.startswith("["):
            section = line[1:].partition("]")[0]
        if not line or line[0] in "[#":
            continue
        name, evidence, rest = line.split(maxsplit=2)
        words, change = rest.split(maxsplit=2)[:2] if section == RETRIEVAL else ("0", "0")
        out[name] = Feature(section, evidence, float(words), float(change))
    return out


FEATURES = _read(text_beside(__file__, "columns.txt"))
COLUMN = {name: number for number, name in enumerate(FEATURES)}


def names_of(section: str) -> tuple[str, ...]:
    """Name the columns of a section, in order."""
    return tuple(name for name, feature in FEATURES.items() if feature.section == section)
