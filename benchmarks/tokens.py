"""Does the token estimate hold? Packs of real questions, counted by real tokenizers.

    python -m benchmarks.tokens --data D --repos R --ranks o200k_base=o200k_base.js \
        --ranks claude=claude.json --ranks tekken=tekken_240911.json --out results/tokens.json

Every question is answered in every format and pack at one of several budgets each, and each text is counted by each
tokenizer. What is reported: how often the real count is above the estimate (must be under 1 % of the packs), how often
it is above the budget, real/estimated, and how much of the budget is used.

The vocabularies come from published packages, named in the result, and are read from files;
nothing is downloaded. To get them (and `pip install tiktoken`, which does the byte-pair merging):

    npm pack js-tiktoken@1.0.21            # package/dist/ranks/o200k_base.js: OpenAI's, of GPT-4o and later
    npm pack @anthropic-ai/tokenizer@0.0.4 # package/claude.json: the only one that Anthropic has published
    pip download --no-deps mistral-common  # mistral_common/data/tekken_240911.json: Mistral's Tekken
"""

import argparse
import base64
import json
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from statistics import fmean, median
from typing import Any

from benchmarks.data import Task, load
from benchmarks.provenance import provenance
from zeroin.answer import Context
from zeroin.context.packing.texts import Read
from zeroin.context.rendering import render
from zeroin.context.tokens import estimate
from zeroin.engine import Repository
from zeroin.errors import OptionError, ZeroinError
from zeroin.types import PACKS

Count = Callable[[str], int]
BUDGETS = (500, 1000, 2000, 4000, 8000, 16000, 32000)
FORMATS = ("markdown", "xml", "json", "jsonl", "table")
PERCENTILES = (1, 5, 50, 95, 99, 100)


def tokenizer(path: Path) -> Count:
    """A counter from a vocabulary file of one of the three packages above."""
    import tiktoken

    text = path.read_text(encoding="utf-8")
    if path.suffix != ".json":  # an ECMAScript module that exports an object
        text = text[text.index("{") : text.rindex("}") + 1]
    given = json.loads(text)
    if "vocab" in given:
        size = given["config"]["default_vocab_size"] - given["config"]["default_num_special_tokens"]
        ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in given["vocab"][:size]}
        pattern = given["config"]["pattern"]
    else:
        ranks = dict(_ranks(given["bpe_ranks"]))
        pattern = given["pat_str"]
    encoding = tiktoken.Encoding(path.stem, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    if path.stem == "claude":  # its package folds the text first
        return lambda text: len(encoding.encode_ordinary(unicodedata.normalize("NFKC", text)))
    return lambda text: len(encoding.encode_ordinary(text))


def _ranks(packed: str) -> Iterator[tuple[bytes, int]]:
    """Lines of `! first token token …`, tokens in base 64 and ranked from `first`."""
    for row in packed.split("\n"):
        _, first, *tokens = row.split(" ")
        for number, token in enumerate(tokens):
            yield base64.b64decode(token), int(first) + number


def packs(context: Context, read: Read, key: str, each: int) -> Iterator[tuple[str, str, int, str]]:
    """Format, pack, budget and text: `each` of all combinations, chosen by a hash."""
    combinations = [(f, p, b) for f in FORMATS for p in PACKS for b in BUDGETS]
    combinations.sort(key=lambda c: sha256(f"{key} {c}".encode()).digest())
    for format_, pack, budget in combinations[:each]:
        try:
            text = render(replace(context, budget=budget, pack=pack), read, format_, code=True)
        except OptionError:  # JSON, and a budget that is too small for it
            continue
        assert isinstance(text, str)
        yield format_, pack, budget, text


def rows_of(tasks: Sequence[Task], counts: Mapping[str, Count], each: int) -> Iterator[dict[str, Any]]:
    """One row a pack: estimate and real counts."""
    for number, task in enumerate(tasks, 1):
        try:
            session = Repository.open(task.git_dir, rev=task.rev).ask(task.task)
            context = session.run()
        except ZeroinError as error:
            print(f"{task.id}: {error}", file=sys.stderr)
            continue
        print(f"{number}/{len(tasks)} {task.id}", file=sys.stderr)
        for format_, pack, budget, text in packs(context, session.read, task.id, each):
            real = {name: count(text) for name, count in counts.items()}
            yield {
                "id": task.id,
                "language": task.language,
                "format": format_,
                "pack": pack,
                "budget": budget,
                "estimate": estimate(text),
                **real,
            }


def summary(rows: Sequence[Mapping[str, Any]], name: str) -> dict[str, Any]:
    """How one tokenizer's counts compare with the estimates and budgets of some packs."""
    ratios = sorted(row[name] / row["estimate"] for row in rows)
    return {
        "packs": len(rows),
        "undercounted": sum(row[name] > row["estimate"] for row in rows) / len(rows),
        "above_budget": sum(row[name] > row["budget"] for row in rows) / len(rows),
        "real_by_estimate": {
            str(p): round(ratios[min(len(ratios) - 1, p * len(ratios) // 100)], 3) for p in PERCENTILES
        },
    }


def use(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    """How much of the budget was used, by estimate and in truth: mean and median share."""
    shares = {name: [row[name] / row["budget"] for row in rows] for name in ("estimate", *names)}
    return {name: {"mean": round(fmean(s), 3), "median": round(median(s), 3)} for name, s in shares.items()}


def report(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    """Summaries of all packs, and by format, pack, budget and language."""
    out: dict[str, Any] = {"all": {name: summary(rows, name) for name in names}, "by": {}}
    for key in ("format", "pack", "budget", "language"):
        values = sorted({row[key] for row in rows})
        out["by"][key] = {
            str(value): {name: summary([row for row in rows if row[key] == value], name) for name in names}
            for value in values
        }
    out["used"] = {str(budget): use([row for row in rows if row["budget"] == budget], names) for budget in BUDGETS}
    out["over_budget_by_estimate"] = sum(row["estimate"] > row["budget"] for row in rows)
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the measurement; exit status 1 where a tokenizer's count is above the estimate on 1 % of the packs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--ranks", action="append", required=True, metavar="NAME=FILE")
    parser.add_argument("--limit", type=int, default=40, help="questions of each kind (issues, queries)")
    parser.add_argument("--beyond", type=int, default=0, help="leave out so many (those that a fit has seen)")
    parser.add_argument("--each", type=int, default=15, help="packs of each question")
    parser.add_argument("--rows", type=Path, help="keep one row a pack (JSONL)")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    counts = {name: tokenizer(Path(file)) for name, _, file in (r.partition("=") for r in given.ranks)}
    seen = {task.id for task in load(given.data, given.repos, limit=given.beyond).tasks} if given.beyond else set()
    tasks = [t for t in load(given.data, given.repos, limit=given.limit).tasks if t.id not in seen]
    rows = list(rows_of(tasks, counts, given.each))
    if given.rows:
        given.rows.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = report(rows, list(counts))
    for name, values in found["all"].items():
        print(f"{name}: {json.dumps(values)}")
    print(json.dumps(found["used"], indent=1))
    if given.out:
        stamp = provenance("benchmarks.tokens", sys.argv[1:] if arguments is None else arguments)
        vocabularies = {
            name: {"file": Path(file).name, "sha256": sha256(Path(file).read_bytes()).hexdigest()}
            for name, _, file in (r.partition("=") for r in given.ranks)
        }
        value = {"provenance": stamp, "vocabularies": vocabularies, "questions": len(tasks), **found}
        given.out.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    return int(any(values["undercounted"] >= 0.01 for values in found["all"].values()))


if __name__ == "__main__":
    sys.exit(main())
