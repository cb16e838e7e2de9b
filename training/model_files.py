"""Writes model files: what each reader of `zeroin.models` reads."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zeroin.models.commonness import Commonness
from zeroin.models.encoder import WEIGHTS, Encoder
from zeroin.models.file import FORMAT, Arrays, Header
from zeroin.models.ranker import Ranker
from zeroin.models.words import STEPS, Translation, WordTable


def write(path: Path, header: Header, arrays: Arrays, *, compressed: bool = True) -> None:
    """Write a model file; `header` must be JSON."""
    packed = np.frombuffer(json.dumps({"format": FORMAT, **header}).encode(), np.uint8)
    parts: dict[str, Any] = {"header": packed, **arrays}
    with path.open("wb") as file:
        (np.savez_compressed if compressed else np.savez)(file, **parts)


def save_commonness(table: Commonness, path: Path) -> None:
    header = {"messages": table.messages, "card": dict(table.card)}
    write(path, header, {"ids": table.ids, "holders": table.holders.astype(np.uint32)})


def save_encoder(encoder: Encoder, path: Path) -> None:
    weights = {name: getattr(encoder, name).astype(np.float16) for name in WEIGHTS}
    arrays = {"ids": encoder.ids, "table": encoder.table, **weights}
    write(path, {"card": dict(encoder.card)}, arrays, compressed=False)


def save_ranker(ranker: Ranker, path: Path) -> None:
    trees = ranker.trees
    header = {
        "features": list(ranker.features),
        "features_version": ranker.features_version,
        "base": trees.base,
        "maps": {name: knots.tolist() for name, knots in ranker.maps.items()},
        "card": dict(ranker.card),
    }
    arrays: Arrays = {
        "features": trees.features.astype(np.int16),
        "borders": trees.borders.astype(np.float32),
        "values": trees.values.astype(np.float64),
        "weights": trees.weights.astype(np.float32),
    }
    write(path, header, arrays)


def save_reader(net: Any, pieces: Sequence[str], card: Mapping[str, object], path: Path) -> None:
    """Write a reader as trained in torch; weights become int8 with a scale for each output."""
    given = {name: value.detach().float().numpy() for name, value in net.state_dict().items()}
    table, scales = _bytes(given["table.weight"])
    arrays: dict[str, Any] = {
        "pieces": np.frombuffer("\n".join(pieces).encode(), np.uint8),
        "table": table,
        "scales": scales,
        **{name: given[name].astype(np.float16) for name in ("places", "sides", "mark")},
        "first.scale": given["first.weight"],
        "first.shift": given["first.bias"],
        "out.weights": given["out.weight"].T,
        "out.bias": given["out.bias"],
    }
    for number in range(len(net.layers)):
        for name in ("attend", "joined", "wide", "narrow"):
            weights, at = _bytes(given[f"layers.{number}.{name}.weight"]), f"{number}.{name}"
            arrays |= {f"{at}.weights": weights[0], f"{at}.scales": weights[1]}
            arrays[f"{at}.bias"] = given[f"layers.{number}.{name}.bias"]
        for name in ("after", "last"):
            arrays[f"{number}.{name}.scale"] = given[f"layers.{number}.{name}.weight"]
            arrays[f"{number}.{name}.shift"] = given[f"layers.{number}.{name}.bias"]
    write(path, {"layers": len(net.layers), "heads": net.heads, "card": dict(card)}, arrays, compressed=False)


def _bytes(weights: Any) -> tuple[Any, Any]:
    """Rows as int8, each with its scale."""
    scales = np.maximum(np.abs(weights).max(axis=1), 1e-9) / 127
    return np.rint(weights / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def save_words(table: WordTable, path: Path) -> None:
    arrays: Arrays = {
        "terms": np.frombuffer("\n".join(table.terms).encode(), np.uint8),
        "counts": np.diff(table.pointers).astype(np.uint16),
        "followers": table.targets.astype(np.uint16),
        "weights": table.weights.astype(np.uint8),
        "repositories": table.repositories.astype(np.uint8),
    }
    write(path, {"card": dict(table.card)}, arrays)


def word_table_of(rows: Mapping[str, Sequence[Translation]], card: Mapping[str, object]) -> WordTable:
    """Make the table of these rows. Raises `ValueError` for more than 65,536 terms."""
    sources = sorted(rows)
    terms = (*sources, *sorted({t.term for found in rows.values() for t in found} - rows.keys()))
    if len(terms) > np.iinfo(np.uint16).max + 1:
        raise ValueError(f"{len(terms)} terms are too many")
    positions = {term: i for i, term in enumerate(terms)}
    listed = [translation for term in sources for translation in rows[term]]
    return WordTable(
        terms=terms,
        pointers=np.r_[0, np.cumsum([len(rows[term]) for term in sources])].astype(np.int64),
        targets=np.array([positions[t.term] for t in listed], np.uint16),
        weights=np.array([round(min(1.0, max(0.0, t.weight)) * STEPS) for t in listed], np.uint8),
        repositories=np.array([min(255, t.repositories) for t in listed], np.uint8),
        card=card,
    )
