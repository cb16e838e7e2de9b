"""What is redacted in repositories as they are? Findings by detector over files of real repositories.

    python -m benchmarks.redaction --repos R --repositories 60 --files 60 --out results/redaction.json

Files under 200 kB, chosen by a hash of their blob, of repositories chosen by a hash of their name. Counted are the
values that the product would redact, by label, and beside them what entropy alone would add with the usual limits,
split by what the line itself says the value is: those are why it is not used. `--show` prints
every finding of a label, to be judged by eye.
"""

import argparse
import json
import math
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.provenance import provenance
from benchmarks.repositories import RepositoryError, find_repositories, is_text, list_blobs, read_blobs
from zeroin.context.packing.texts import lines_of
from zeroin.context.redaction.redact import Redaction

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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--repositories", type=int, default=60)
    parser.add_argument("--files", type=int, default=60, help="of each repository")
    parser.add_argument("--show", default="")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    found: Counter[str] = Counter()
    in_files: defaultdict[str, set[str]] = defaultdict(set)
    files = lines = 0
    seconds = 0.0
    repositories = find_repositories(given.repos)
    for name in sorted(repositories, key=lambda n: sha256(n.encode()).digest())[: given.repositories]:
        try:
            blobs = [b for b in list_blobs(repositories[name], "HEAD") if b.size <= MAX_BYTES]
        except RepositoryError:
            continue
        paths = {b.blob: b.path for b in sorted(blobs, key=lambda b: b.blob)[: given.files]}
        for blob, data in read_blobs(repositories[name], paths):
            if not is_text(data):
                continue
            rows = lines_of(data.decode("utf-8", "replace"))
            files, lines = files + 1, lines + len(rows)
            began = time.perf_counter()
            redaction = Redaction(paths[blob], rows)
            shown = [redaction.line(n) for n in range(1, len(rows) + 1) if len(rows[n - 1]) <= MAX_LINE]
            seconds += time.perf_counter() - began
            labels = [label for text, count in shown if count for label in _LABEL.findall(text)]
            for row in rows:
                if len(row) <= MAX_LINE:
                    labels += _by_entropy(row)
            for label in labels:
                found[label] += 1
                in_files[label].add(f"{name}:{paths[blob]}")
            if given.show and given.show in labels:
                told = [text for text, count in shown if count and f"[redacted: {given.show}]" in text]
                print(f"{name}:{paths[blob]}", *(text.strip()[:160] for text in told[:5]), sep="\n    ")
    value: dict[str, Any] = {
        "files": files,
        "lines": lines,
        "microseconds_a_line": round(1e6 * seconds / max(1, lines), 1),
        "found": {label: {"values": n, "files": len(in_files[label])} for label, n in found.most_common()},
    }
    print(json.dumps(value, indent=1))
    if given.out:
        stamp = provenance("benchmarks.redaction", sys.argv[1:] if arguments is None else arguments)
        given.out.write_text(json.dumps({"provenance": stamp, **value}, indent=1) + "\n", encoding="utf-8")
    return 0


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
