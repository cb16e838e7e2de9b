"""Parse unified diffs: git's own, `format-patch` mails, plain `diff -u`, combined diffs.

The library unidiff is not used: it parses no combined diffs, does not unquote paths and refuses a truncated diff.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from zeroin.config import MAX_TASK_CHARS
from zeroin.corpus.files import leads_out
from zeroin.errors import InputError
from zeroin.patterns import lazy_pattern
from zeroin.tree import Diff, DiffFile, runs_of

MAX_FILES = 5_000  # of one change; the rest is ignored
MAX_DIFF_CHARS = 20 * MAX_TASK_CHARS
_MAX_HEAD_LINES, _MAX_MESSAGE_CHARS = 2_000, 20_000
_NAMED = 20  # files whose paths stand for a missing message
_MAX_LINE = 1_000_000_000  # line numbers beyond are garbage

_GIT = lazy_pattern(r"diff --(git|cc|combined) (.+)$")
# The number of `@` says how many parents the hunk compares with.
_HUNK = lazy_pattern(r"(@{2,12})((?: -\d{1,12}(?:,\d{1,12})?){1,11}) \+(\d{1,12})(?:,(\d{1,12}))? @{2,12}(.*)$")
_RENAME = lazy_pattern(r"(?:rename|copy) (from|to) (.+)$")
_COLOURS = lazy_pattern(r"\x1b\[[\d;]{0,40}[mK]")
_PREFIX = lazy_pattern(r"^[abiwco12]/")
_COMMIT = lazy_pattern(r"^(?=From [0-9a-f]{7,64} |commit [0-9a-f]{7,64})", re.MULTILINE)
_HEADERS = lazy_pattern(r"\s*(?:From |commit |From:|Subject:|Date:)")
_SUBJECT = lazy_pattern(r"^Subject:\s*((?:\[[^\]\n]{0,60}\]\s{0,4})*)(.+(?:\n[ \t].+)*)", re.MULTILINE)
# Lines of a message that do not describe the change: trailers, and what `--stat` prints.
_NO_MESSAGE = lazy_pattern(
    r"\s*(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|change-id|cc|link|fixes)\s?:|"
    r" .{1,300}\|\s{1,8}(?:\d|Bin)| \d{1,9} files? changed| (?:create|delete|rename|copy) mode| (?:create|delete) |"
    r" rename ",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _File:
    path: str = ""
    old: str | None = None  # "" for a file that is new, None where only its path is known
    deleted: bool = False
    changed: set[int] = field(default_factory=set)  # lines of the new side
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # lines of the new side, parallel to `added`


def parse_diff(text: str) -> Diff:
    """Parse the text of a change. Raises `InputError` when it changes no file.

    `spans` are new-side lines that changed (of a pure removal, the line before it); `added` and `removed` are the
    changed lines, each hunk's header line in `added` prefixed by `@@ `. Line ends may be CRLF, and lines coloured.
    """
    plain = _COLOURS.sub("", text[:MAX_DIFF_CHARS])
    lines = [line.removesuffix("\r") for line in plain.split("\n")]
    head: list[str] = []
    files: list[_File] = []
    file: _File | None = None
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        after = lines[at] if at < len(lines) else ""
        if match := _GIT.match(line):
            file = _git_file(match)
            files.append(file)
        elif line.startswith("--- ") and after.startswith("+++ "):
            at += 1
            if file is None or file.added or file.removed:
                file = _File()
                files.append(file)
            old, new = _sides(line[4:].partition("\t")[0], after[4:].partition("\t")[0], file.path)
            file.path, file.old, file.deleted = new or old, old, not new
        elif file is not None and (match := _HUNK.match(line)):
            at = _read_hunk(file, match, lines, at)
        elif file is not None and not line.startswith(("From ", "commit ")):
            _read_header(file, line)
        else:  # a line of a message, perhaps of the next mail or commit
            file = None
            head.append(line)
    found = _merged(files[:MAX_FILES])
    if not found:
        raise InputError("the diff holds no change of a file")
    return Diff(found, message_of("\n".join(head[:_MAX_HEAD_LINES])))


def in_the_tree(diff: Diff) -> Diff:
    """Return the change without paths that can be no file of a tree (`..`, `.git`): git objects may hold them."""
    return replace(diff, files=tuple(file for file in diff.files if not leads_out(file.path)))


def names_of(diff: Diff) -> str:
    """Return the paths of the first files, the task's text for a change without a message."""
    return " ".join(file.path for file in diff.files[:_NAMED])


def hunk_headers(file: DiffFile) -> list[str]:
    """Return the function lines that git printed behind the `@@` of a file's hunks."""
    return [line[3:] for line in file.added.split("\n") if line.startswith("@@ ")]


def added_lines(file: DiffFile) -> list[str]:
    """Return the lines that a change adds to a file, hunk headers left out."""
    return [line for line in file.added.split("\n") if not line.startswith("@@ ")]


def message_of(text: str) -> str:
    """Return the commit messages in the text around the diffs of mails, `git show` or `git log -p`, without headers."""
    parts = _COMMIT.split(text[:_MAX_MESSAGE_CHARS])
    return "\n\n".join(message for part in parts if (message := _message(part)))


def _message(text: str) -> str:
    is_show = text.startswith("commit ")
    head, _, body = text.partition("\n\n") if _HEADERS.match(text) else ("", "", text)
    subject = _SUBJECT.search(head)
    if head and not is_show:
        body = re.split(r"^---\s*$", body, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line.removeprefix("    ") if is_show else line for line in body.split("\n") if not _NO_MESSAGE.match(line)]
    title = [" ".join(subject[2].split()), ""] if subject else []
    return "\n".join([*title, *lines]).strip()


def _git_file(match: re.Match[str]) -> _File:
    """Parse a `diff --git a/x b/x` line; where paths contain spaces it is ambiguous unless both are the same."""
    kind, text = match[1], match[2].strip()
    if kind != "git":
        return _File(_unquoted(text))
    half = len(text) // 2
    old, new = _sides(text[:half], text[half + 1 :])
    if text[half : half + 1] != " " or old != new:
        half = text.find(" b/") if " b/" in text else text.find(" ")
        old, new = _sides(text[:half], text[half + 1 :])
    return _File(new, old)


def _read_header(file: _File, line: str) -> None:
    if match := _RENAME.match(line):
        if match[1] == "from":
            file.old = _unquoted(match[2])
        else:
            file.path = _unquoted(match[2])
    elif line.startswith("new file mode"):
        file.old = ""
    elif line.startswith("deleted file mode"):
        file.deleted = True


def _read_hunk(file: _File, match: re.Match[str], lines: list[str], at: int) -> int:
    """Read the body of a hunk from line `at` on, with as many lines as its header gives; return the index after it."""
    parents = len(match[1]) - 1
    old = sum(int(part.partition(",")[2] or 1) for part in match[2].split())
    new, number = int(match[4] or 1), min(int(match[3]), _MAX_LINE)
    if match[5].strip():
        file.added.append("@@ " + match[5].strip()[:300])
        file.numbers.append(0)
    while at < len(lines) and (old > 0 or new > 0):
        marks, content = lines[at][:parents], lines[at][parents:]
        if lines[at].startswith("\\"):  # no newline at the end of the file
            at += 1
            continue
        if marks.strip(" +-") or lines[at].startswith("diff --git "):
            break
        at += 1
        if "-" in marks:
            old -= marks.count("-")
            file.removed.append(content)
            file.changed.add(max(1, number - 1 if new else number))
            continue
        old -= parents - marks.count("+")
        new -= 1
        if "+" in marks:
            file.added.append(content)
            file.numbers.append(max(1, number))
            file.changed.add(max(1, number))
        number += 1
    return at


def _merged(files: Iterable[_File]) -> tuple[DiffFile, ...]:
    """Return one entry for each path: several commits of a series may change it."""
    merged: dict[str, _File] = {}
    for file in files:
        known = merged.setdefault(file.path, file)
        if known is not file:
            known.deleted = file.deleted
            known.changed |= file.changed
            known.added += file.added
            known.removed += file.removed
            known.numbers += file.numbers
    return tuple(
        DiffFile(
            path=f.path,
            old_path=(f.path if f.old is None else f.old) or None,
            spans=tuple(runs_of(f.changed)),
            added="\n".join(f.added),
            removed="\n".join(f.removed),
            numbers=tuple(f.numbers),
            deleted=f.deleted,
        )
        for f in merged.values()
        if f.path
    )


def _sides(old: str, new: str, known: str = "") -> tuple[str, str]:
    """Return the paths of both sides without their prefixes (`a/`, `b/`); "" for /dev/null.

    Where both sides are equal, or one equals the path `known` from git's own line, there are no prefixes
    (`--no-prefix`), and `a/` is a folder.
    """
    first, second = _unquoted(old.strip()), _unquoted(new.strip())
    bare = first == second or known == (first if second == "/dev/null" else second)
    paths = (first, second) if bare else (_PREFIX.sub("", path, count=1) for path in (first, second))
    before, after = ("" if path == "/dev/null" else path for path in paths)
    return before, after


def _unquoted(text: str) -> str:
    """Decode a path as git prints it: octal escapes in quotes are bytes of UTF-8."""
    text = text.rstrip("\t ")
    if len(text) < 2 or not (text.startswith('"') and text.endswith('"')):
        return text
    escaped = text[1:-1].encode("utf-8", "surrogatepass").decode("unicode_escape", "ignore")
    return escaped.encode("latin-1", "replace").decode("utf-8", "replace")
