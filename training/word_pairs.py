"""What was said and what was named, side by side, from the histories of public repositories.

    python -m training.word_pairs --repos FOLDER --out pairs.jsonl [--per-repository 1000]

FOLDER holds bare git directories as `owner+name/…`. Two kinds of rows are written. A *change*: the words of its
message; the subwords of the edited files' paths and of the names that its hunks define or stand in. A *comment*:
the words of a comment or docstring that a change adds directly beside a definition, and the subwords of its name.
Only git is asked. A repository that was read completely is not read again.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.repositories import RepositoryError, find_repositories, has_commit
from training.changes import FilePatch, list_changes, read_changes, read_patches, sizes
from training.gold import files_of
from training.held_out import HeldOutError, refuse
from training.messages import clean
from training.mine import LISTED, MAX_FILES, MAX_LINES, PREFERRED, _is_here, _passes
from zeroin.terms import INTENT_WORDS, STOPWORDS, WORD, split_identifier

PER_REPOSITORY = 1_000  # changes that are looked at; more would let long histories speak for all
_BLOCK = 200  # changes read by one process of git
MOST_SAID = 60  # words of one text: what comes later is rarely about it

_HUNK_CONTEXT = re.compile(r"^@@ -\S+ \+\S+ @@ (.*)$")
_DEFINES = re.compile(
    r"\b(?:def|defp|defmodule|defmacro|func|fun|fn|function|sub|class|interface|struct|trait|enum|object|module|impl|"
    r"protocol|extension|record|type|namespace|package)\s+(?:\([^()]*\)\s*)?(?:<[^<>]*>\s*)?([A-Za-z_][\w.:]*)"
)
# A method of the C family: a return type and a name before its parentheses, and nothing that ends a statement.
_TYPED = re.compile(r"[\w<>\[\],.:*&?@ \t]*[\w>\]*&?][ \t]+[*&]?([A-Za-z_]\w*)")
_NOT_NAMES = frozenset(
    "if for while switch return catch else match when elif with assert throw new delete sizeof await yield case do "
    "in not and or self this super isinstance len str".split()
)
_COMMENT = re.compile(r"^\s*(?:///?!?|/\*\*?|\*(?!/)|#(?!include|define|if|endif|!)|--+|;;+|%+)\s?(.*)$")
_DOCSTRING = re.compile(r'^\s*@?(?:doc\s+|moduledoc\s+)?[rbuf]?(?:"""|\'\'\')(.*)$')
_TAG = re.compile(r"@\w+|\\\w+|<[^>]+>|`[^`]*`|\{@\w+[^}]*\}|:\w+:|https?://\S+")


def main(argv: list[str] | None = None) -> int:
    """Reads every listed repository; 2 if a name is held out or the list cannot be read, 130 if interrupted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--out", type=Path, required=True, help="rows, one JSON object a line")
    parser.add_argument("--per-repository", type=int, default=PER_REPOSITORY)
    parser.add_argument("--repositories", type=Path, default=LISTED, help="names and pinned commits")
    args = parser.parse_args(argv)
    try:
        listed: Mapping[str, Mapping[str, Any]] = json.loads(args.repositories.read_text(encoding="utf-8"))[
            "repositories"
        ]
        refuse(listed)
    except (OSError, ValueError, KeyError, HeldOutError) as error:
        print(f"{args.repositories}: {error}", file=sys.stderr)
        return 2
    found = find_repositories(args.repos)
    complete = _complete(args.out)
    try:
        for number, (name, row) in enumerate(listed.items(), 1):
            git_dir = found.get(name.lower())
            if name in complete or git_dir is None or not has_commit(git_dir, row["commit"]):
                continue
            began = time.perf_counter()
            try:
                rows = list(rows_of(name, git_dir, row["commit"], args.per_repository))
            except RepositoryError as error:
                print(f"[{number}/{len(listed)}] {name}: {error}", file=sys.stderr)
                continue
            end = {"repo": name, "commit": row["commit"], "kind": "end"}
            with args.out.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in (*rows, end))
            spent = time.perf_counter() - began
            print(f"[{number}/{len(listed)}] {name}: {len(rows)} rows, {spent:.1f} s", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted; what is complete stays", file=sys.stderr)
        return 130
    return 0


def _complete(out: Path) -> set[str]:
    """Repositories that were read to their end; rows of others are removed."""
    if not out.exists():
        out.parent.mkdir(parents=True, exist_ok=True)
        return set()
    with out.open(encoding="utf-8") as file:
        done = {row["repo"] for line in file if (row := json.loads(line))["kind"] == "end"}
    with out.open(encoding="utf-8") as file:
        kept = [line for line in file if json.loads(line)["repo"] in done]
    out.write_text("".join(kept), encoding="utf-8")
    return done


def rows_of(name: str, git_dir: Path, rev: str, limit: int) -> Iterator[dict[str, Any]]:
    """The rows of one repository: of `limit` changes of its history."""
    every = list_changes(git_dir, rev)[:PREFERRED]
    ids = every[:: max(1, -(-len(every) // limit))]  # spread evenly over the history
    counts: Counter[str] = Counter()
    eligible = [c for c in read_changes(git_dir, ids) if _passes(c, name, len(every), counts)]
    known = sizes(
        git_dir, (b for c in eligible for t in c.touched if t.regular for b in (t.old_blob, t.new_blob))
    )
    eligible = [change for change in eligible if _is_here(change, known)]
    for first in range(0, len(eligible), _BLOCK):
        block = eligible[first : first + _BLOCK]
        patches = read_patches(git_dir, [change.sha for change in block])
        for change in block:
            patch = [p for p in patches.get(change.sha, ()) if not p.binary]
            gold = set(files_of([p.file for p in patch]).gold)
            parts = [p for p in patch if p.file.path in gold]
            if not parts or len(parts) > MAX_FILES or sum(p.changed for p in parts) > MAX_LINES:
                continue
            defined = Counter(part for p in parts for name in names_of(p) for part in split_identifier(name))
            yield {
                "repo": name,
                "kind": "change",
                "said": said(clean(change.message)),
                "paths": sorted({s for p in sorted(gold) for s in path_words(p)}),
                "names": sorted(part for part, _ in defined.most_common(60)),
            }
            for text, defines in (pair for p in parts for pair in comments_of(p)):
                told = said(text)
                if len(told) > 1:
                    yield {
                        "repo": name,
                        "kind": "comment",
                        "said": told,
                        "names": sorted(set(split_identifier(defines))),
                    }


def said(text: str) -> list[str]:
    """The words of a text that say something, in lower case, identifiers in parts, without repeats."""
    parts = (part for word in WORD.findall(text) for part in split_identifier(word))
    kept = (
        p for p in parts if len(p) > 2 and not p.isdigit() and p not in STOPWORDS and p not in INTENT_WORDS
    )
    return list(dict.fromkeys(kept))[:MOST_SAID]


def path_words(path: str) -> set[str]:
    """Subwords of a path, without its suffix."""
    stem = path.rpartition(".")[0] or path
    return {part for word in WORD.findall(stem) for part in split_identifier(word) if len(part) > 1}


def names_of(patch: FilePatch) -> Iterator[str]:
    """Names that the hunks define, and those of the definitions that they stand in."""
    for line in _lines(patch):
        context = _HUNK_CONTEXT.match(line)
        name = _defined(context[1] if context else line[1:])
        if name:
            yield name


def comments_of(patch: FilePatch) -> Iterator[tuple[str, str]]:
    """Comments and docstrings that are added directly beside a definition, each with the name that it defines."""
    above: list[str] = []
    pending = ""  # a name just defined, whose docstring may follow
    for line in _lines(patch):
        text = line[1:]
        if line.startswith("+") and pending and (doc := _DOCSTRING.match(text)):
            yield _TAG.sub(" ", doc[1]), pending
            pending = ""
        elif line.startswith("+") and (comment := _COMMENT.match(text) or _DOCSTRING.match(text)):
            above.append(comment[1])
        elif line.startswith("+") and (name := _defined(text)):
            if above:
                yield _TAG.sub(" ", " ".join(above)), name
            above, pending = [], name
        elif line.startswith("+") and text.strip().startswith(("@", "#[", "[", "template", '"""')):
            continue  # between a comment and its definition
        else:
            above, pending = [], ""


def _lines(patch: FilePatch) -> list[str]:
    return patch.text.decode("utf-8", "replace").split("\n")


def _defined(line: str) -> str:
    if len(line) > 300:
        return ""
    head, parenthesis, rest = line.partition("(")
    found = _DEFINES.search(line)
    if found is None and parenthesis and ";" not in rest and "=" not in head:
        found = _TYPED.fullmatch(head.rstrip())
        if found is not None and _NOT_NAMES & set(head.split()):
            found = None
    name = found[1].rpartition(".")[2].rpartition(":")[2] if found else ""
    return "" if name in _NOT_NAMES else name


if __name__ == "__main__":
    sys.exit(main())
