"""Tasks with pasted error texts, mined: messages of code files with their placeholders filled in.

    python -m benchmarks.literal_mine --repos FOLDER --out benchmarks/literal.jsonl

Repositories and commits are those of `benchmarks/vocabulary.jsonl`. A message is a string of at least four words on a
line that raises or logs; right are the implementation files that hold its longest fixed piece, at most three. How
placeholders are filled, and how the text is pasted, is drawn from a hash of the message: the same tasks every time.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.repositories import MAX_BYTES, find_repositories, is_text, list_blobs, locate, read_blobs
from benchmarks.vocabulary import TASKS, read_tasks
from zeroin.corpus.roles import role_of
from zeroin.types import Role

EACH = 4  # messages of a repository
_MAX_RIGHT = 3
_SUFFIXES = frozenset(
    "py js mjs ts tsx jsx rb go rs java kt kts scala cs php c cc cpp cxx h hpp ex exs lua swift zig hs m sh".split()
)
_RAISES = re.compile(
    r"\b(?:raise|throw|panic|bail|abort|die|fatal|fail|error|err|warn|warning|log|logger|logging|Errorf|Error|"
    r"Exception|invariant|ensure|expect|reject|eprintln)\b|[A-Za-z](?:Error|Exception|Fatal|Warn)\b"
)
_CLASS = re.compile(
    r"\b(?:raise|throw(?: new)?|Promise\.reject\(new)\s+((?:[A-Za-z_]\w*(?:\.|::))*[A-Z]\w*(?:Error|Exception))\b"
)
_STRING = re.compile(r"\"((?:[^\"\\\n]|\\.){20,240})\"|'((?:[^'\\\n]|\\.){20,240})'|`((?:[^`\\\n]|\\.){20,240})`")
_HOLE = re.compile(
    r"%[-+ #0]*\d*(?:\.\d+)?l*[sdvqiufxr@]|%\{\w+\}|%\(\w+\)[sdr]|\$\{[^{}]{1,60}\}|#\{[^{}]{1,60}\}|"
    r"\\\([^()]{1,60}\)|\{[^{}\s]{0,40}\}|\$[A-Za-z_]\w*"
)
_WORD = re.compile(r"[A-Za-z]{2,}")
_SIDE_BY_SIDE = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")
_VALUES = ("report_2024.csv", "42", "/srv/data/input.txt", "userName", "build-7", "127.0.0.1:8080", "Widget", "1337")
_ESCAPES = (("\\n", " "), ("\\t", " "), ('\\"', '"'), ("\\'", "'"), ("%%", "%"), ("{{", "{"), ("}}", "}"))


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the tasks of every repository that is here."""
    parser = argparse.ArgumentParser(prog="benchmarks.literal_mine", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(argv)
    found = find_repositories(options.repos)
    commits = {row["repo"]: row["commit"] for row in read_tasks(TASKS)}
    rows: list[dict[str, Any]] = []
    for repo, commit in sorted(commits.items()):
        git_dirs = locate(repo, found, {})
        if git_dirs:
            rows += mined(repo, commit, git_dirs[0])
            print(repo, len(rows), file=sys.stderr)
    options.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return 0


def mined(repo: str, commit: str, git_dir: Path) -> list[dict[str, Any]]:
    """Tasks of one repository: messages in the order of their hashes, at most one a file."""
    blobs = [b for b in list_blobs(git_dir, commit) if b.size <= MAX_BYTES and _is_code(b.path)]
    texts: dict[str, str] = {}
    ids = {b.blob for b in blobs}
    for blob, data in read_blobs(git_dir, sorted(ids)):
        texts[blob] = data.decode("utf-8", "replace") if is_text(data) else ""
    messages = [
        (draw(template), template, raised, b.path) for b in blobs for template, raised in messages_of(texts[b.blob])
    ]
    rows: list[dict[str, Any]] = []
    used: set[str] = set()
    for number, template, raised, path in sorted(messages):
        fixed = max(_HOLE.split(template), key=len)
        right = [b.path for b in blobs if fixed in texts[b.blob]]
        if path in used or len(right) > _MAX_RIGHT or not _telling(fixed):
            continue
        used.update(right)
        text = filled(template, number)
        rows.append(
            {
                "id": f"{repo.partition('/')[2].lower()}:{len(rows) + 1}",
                "repo": repo,
                "commit": commit,
                "form": _FORMS[number % len(_FORMS)],
                "task": pasted(text, raised, path, _FORMS[number % len(_FORMS)]),
                "message": text,
                "gold": right,
            }
        )
        if len(rows) == EACH:
            break
    return rows


def messages_of(text: str) -> Iterator[tuple[str, str]]:
    """Templates of messages on raising lines, or on the line after one, with the class that is raised or ""."""
    before = ""
    for line in text.split("\n"):
        code = len(line) < 300 and not line.lstrip().startswith(("#", "//", "*", "--", "import ", "from "))
        if code and (_RAISES.search(line) or (before.endswith(("(", ",")) and _RAISES.search(before))):
            raised = _CLASS.search(line) or _CLASS.search(before)
            for match in _STRING.finditer(line):
                template = next(group for group in match.groups() if group is not None)
                rest = _HOLE.sub(" ", template)
                if len(_WORD.findall(rest)) >= 4 and " " in template and not {"{", "}"} & set(rest):
                    yield template, raised.group(1) if raised else ""
        before = line.rstrip()


def _telling(fixed: str) -> bool:
    return len(fixed) >= 12 and _SIDE_BY_SIDE.search(fixed) is not None


def _is_code(path: str) -> bool:
    return path.rpartition(".")[2] in _SUFFIXES and role_of(path) is Role.IMPLEMENTATION


def draw(text: str) -> int:
    """A number that a text always draws."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def filled(template: str, number: int) -> str:
    """A message as a user sees it: placeholders hold values, escapes are gone."""
    state = [number]

    def value(_: re.Match[str]) -> str:
        state[0] //= 7
        return _VALUES[state[0] % len(_VALUES)]

    text = _HOLE.sub(value, template)
    for written, shown in _ESCAPES:
        text = text.replace(written, shown)
    return " ".join(text.split())


_FORMS = ("get", "trace", "only", "quoted", "log", "span")


def pasted(text: str, raised: str, path: str, form: str) -> str:
    """A task that pastes a message, in one of the ways in which people do."""
    name = raised or "Error"
    if form == "get":
        return f"I get: {text}"
    if form == "only":
        return text
    if form == "quoted":
        return f"Since the last update our build stops with “{text}” and I do not know why."
    if form == "log":
        return f"The service does not come up, the log ends with\n\n```\n2024-03-01 12:00:01 ERROR {text}\n```"
    if form == "span":
        return f"What does `{text}` mean and when does it happen?"
    suffix = path.rpartition(".")[2]
    if suffix == "py":
        frame = '  File "/app/main.py", line 12, in <module>\n    run()'
        trace = f"Traceback (most recent call last):\n{frame}\n{name}: {text}"
    elif suffix in ("js", "mjs", "ts", "tsx", "jsx"):
        trace = f"{name}: {text}\n    at run (/app/index.js:12:5)\n    at Object.<anonymous> (/app/index.js:40:1)"
    elif suffix in ("java", "kt", "kts", "scala"):
        trace = f'Exception in thread "main" {name}: {text}\n\tat com.example.App.main(App.java:12)'
    elif suffix == "go":
        trace = f"panic: {text}\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:12 +0x1d"
    elif suffix == "rb":
        trace = f"app.rb:12:in `run': {text} ({name})\n\tfrom app.rb:40:in `<main>'"
    else:
        trace = f"{name}: {text}"
    return f"It crashes at once:\n\n```\n{trace}\n```"


if __name__ == "__main__":
    sys.exit(main())
