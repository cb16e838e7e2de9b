"""What is redacted: of made-up secrets of every kind, and in repositories as they are.

    python -m benchmarks.redaction --out F.json                      made-up secrets alone, half a minute
    python -m benchmarks.redaction --repos R --out F.json            and files of real repositories

Made-up secrets (`planted_secrets.py`): how many kinds are shown of how many, in files of many languages and formats,
and in all that the command line says and keeps of a repository that holds them (`planted_answers.py`).

Real files: under 200 kB, chosen by a hash of their blob, of repositories chosen by a hash of their name, none of those
that are kept for the final measurement. Counted are the values that the product would redact, by label, and beside
them what entropy alone would add with the usual limits, split by what the line itself says the value is: those are why
it is not used. `--show LABEL` prints the findings of a label, `--show all` those of every label, to be judged by eye.
"""

import argparse
import json
import math
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.planted_answers import leaks, plant, said_of
from benchmarks.planted_secrets import planted, seen
from benchmarks.provenance import provenance
from benchmarks.repositories import RepositoryError, find_repositories, is_text, list_blobs, read_blobs
from training.held_out import held_out
from zeroin.context.packing.texts import lines_of
from zeroin.context.redaction.redact import Redaction, redact

MAX_BYTES, MAX_LINE = 200_000, 4_000
_LABEL = re.compile(r"\[redacted: ([^\]]*)\]")
_HASH = re.compile(
    r"(?i)integrity|checksum|sha-?\d|md5|digest|hash|revision|version|commit|uuid|guid|fingerprint|etag|signature"
)
# Of quoted strings of these characters, bits a character: the limits that scanners of secrets use.
_ENTROPY = (
    ("entropy, base 64", re.compile(r"([\"'])([A-Za-z0-9+/\\_=-]+)\1"), 4.5),
    ("entropy, hex", re.compile(r"([\"'])([0-9a-fA-F]+)\1"), 3.0),
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--repositories", type=int, default=100)
    parser.add_argument("--files", type=int, default=120, help="of each repository")
    parser.add_argument("--show", default="")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    value: dict[str, Any] = {"planted": _planted(), "answers": _answers()}
    if given.repos:
        value["real"] = _real(given.repos, given.repositories, given.files, given.show)
    print(json.dumps(value, indent=1))
    if given.out:
        stamp = provenance("benchmarks.redaction", sys.argv[1:] if arguments is None else arguments)
        given.out.write_text(json.dumps({"provenance": stamp, **value}, indent=1) + "\n", encoding="utf-8")
    return 0


def _planted() -> dict[str, Any]:
    """Which kinds of made-up secrets are shown of files."""
    shown: Counter[str] = Counter()
    kinds, formats = set(), set()
    files = 0
    for one in planted():
        files += 1
        kinds.add(one.kind)
        formats.add(one.form)
        if seen(one.secrets, "\n".join(redact(one.path, one.lines)[0])):
            shown[one.kind] += 1
    return {"kinds": len(kinds), "formats": len(formats), "files": files, "shown": shown}


def _answers() -> dict[str, Any]:
    """Which kinds of made-up secrets are in what is said and kept of a repository."""
    with tempfile.TemporaryDirectory() as folder:
        secrets = plant(Path(folder, "repository"))
        shown: defaultdict[str, set[str]] = defaultdict(set)
        for what, text in said_of(Path(folder, "repository"), Path(folder, "home")):
            shown[what].update(leaks(secrets, text))
    said = {what: sorted(kinds) for what, kinds in shown.items() if kinds}
    return {"secrets": len(secrets), "looked_at": list(shown), "shown": said}


def _real(folder: Path, repositories: int, files: int, show: str) -> dict[str, Any]:
    """What is redacted in files of real repositories."""
    found: Counter[str] = Counter()
    in_files: defaultdict[str, set[str]] = defaultdict(set)
    count = lines = 0
    seconds = 0.0
    names = set()
    for name, path, text in files_of(folder, repositories, files):
        names.add(name)
        rows = lines_of(text)
        count, lines = count + 1, lines + len(rows)
        began = time.process_time()
        redaction = Redaction(path, rows)
        shown = [redaction.line(n) for n in range(1, len(rows) + 1) if len(rows[n - 1]) <= MAX_LINE]
        seconds += time.process_time() - began
        labels = [label for text, hidden in shown if hidden for label in _LABEL.findall(text)]
        if labels:
            in_files["any"].add(f"{name}:{path}")
            if show in (*labels, "all"):
                told = [text for text, hidden in shown if hidden and (show == "all" or f": {show}]" in text)]
                print(f"{name}:{path}", *(text.strip()[:160] for text in told[:5]), sep="\n    ")
        for row in rows:
            if len(row) <= MAX_LINE:
                labels += _by_entropy(row)
        for label in labels:
            found[label] += 1
            in_files[label].add(f"{name}:{path}")
    return {
        "repositories": len(names),
        "files": count,
        "lines": lines,
        "microseconds_a_line": round(1e6 * seconds / max(1, lines), 1),
        "files_with_a_redacted_value": len(in_files["any"]),
        "found": {label: {"values": n, "files": len(in_files[label])} for label, n in found.most_common()},
    }


def files_of(folder: Path, repositories: int, files: int) -> Iterator[tuple[str, str, str]]:
    """Name of the repository, path and text of files, the same in every run."""
    kept = held_out()
    found = {name: at for name, at in find_repositories(folder).items() if not {name, name.split("/")[1]} & kept}
    for name in sorted(found, key=lambda n: sha256(n.encode()).digest())[:repositories]:
        try:
            blobs = [b for b in list_blobs(found[name], "HEAD") if b.size <= MAX_BYTES]
            paths = {b.blob: b.path for b in sorted(blobs, key=lambda b: b.blob)[:files]}
            for blob, data in read_blobs(found[name], paths):
                if is_text(data):
                    yield name, paths[blob], data.decode("utf-8", "replace")
        except RepositoryError:
            continue


def _by_entropy(row: str) -> list[str]:
    """What a limit on the entropy of quoted strings would add on one line."""
    told = " (called a hash, a version or the like)" if _HASH.search(row) else ""
    return [
        f"{name}{told}"
        for name, quoted, limit in _ENTROPY
        for _, value in quoted.findall(row)
        if _entropy(value) > limit
    ]


def _entropy(text: str) -> float:
    """Shannon entropy, bits a character."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


if __name__ == "__main__":
    sys.exit(main())
