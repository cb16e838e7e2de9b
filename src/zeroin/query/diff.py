"""Unified diffs: git's own, `format-patch` mails, plain `diff -u`, combined diffs. Reads anything, executes nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from zeroin.config import MAX_TASK_CHARS
from zeroin.errors import InputError
from zeroin.tree import Diff, DiffFile

MAX_FILES = 5_000  # a change of more is a tree, not a change
MAX_DIFF_CHARS = 20 * MAX_TASK_CHARS
_MAX_MESSAGE_CHARS = 20_000
_NAMED = 20  # files that stand for a message
_MAX_LINE = 1_000_000_000  # line numbers beyond are garbage

_GIT = re.compile(r"diff --(git|cc|combined) (.+)$")
_HUNK = re.compile(r"@@ -(\d{1,12})(?:,(\d{1,12}))? \+(\d{1,12})(?:,(\d{1,12}))? @@(.*)$")
_COMBINED = re.compile(
    r"(@{3,12})((?: -\d{1,12}(?:,\d{1,12})?){2,11}) \+(\d{1,12})(?:,(\d{1,12}))? @{3,12}(.*)$"
)
_ESCAPE = re.compile(r"\\([0-7]{3}|.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_MAIL = re.compile(r"^From [0-9a-f]{7,64} ", re.MULTILINE)
_SUBJECT = re.compile(r"^(?:\[[^\]\n]{0,60}\]\s{0,4})+")
_TRAILER = re.compile(
    r"^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|change-id|cc|link|fixes)\s?:",
    re.IGNORECASE,
)
_MAIL_HEADER = re.compile(
    r"^(?:From|Date|To|Cc|Message-I[dD]|MIME-Version|Content-[\w-]+|X-[\w-]+|In-Reply-To|References|Author|"
    r"AuthorDate|Commit|CommitDate|Merge)\s?:"
)
_STAT = re.compile(
    r"^ .{1,300}\|\s{1,8}(?:\d|Bin)|^ \d{1,9} files? changed|^ (?:create|delete|rename|copy) mode|^ (?:create|"
    r"delete) |^ rename "
)


@dataclass(slots=True)
class _File:
    path: str = ""
    old: str | None = None
    spans: list[tuple[int, int]] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    new: bool = False
    deleted: bool = False


def parse_diff(text: str) -> Diff:
    """A change from its text. Raises `InputError` when it holds no change of a file.

    `spans` are new-side lines that changed (of a pure removal, the line before it); `added` and `removed` are the
    changed lines, each hunk's header line in `added` prefixed by `@@ `. Line ends may be CRLF.
    """
    parser = _Parser()
    for line in text[:MAX_DIFF_CHARS].split("\n"):
        parser.feed(line.removesuffix("\r"))
    files = parser.finish()
    if not files:
        raise InputError("the diff holds no change of a file")
    return Diff(files, message_of(parser.head))


def names_of(diff: Diff) -> str:
    """What a change is called that comes without a message: the paths of its first files."""
    return " ".join(file.path for file in diff.files[:_NAMED])


def hunk_headers(file: DiffFile) -> list[str]:
    """The function lines that git printed behind the `@@` of a file's hunks."""
    return [line[3:] for line in file.added.split("\n") if line.startswith("@@ ")]


def added_lines(file: DiffFile) -> list[str]:
    """The lines that a change adds to a file, hunk headers left out."""
    return [line for line in file.added.split("\n") if not line.startswith("@@ ")]


def message_of(lines: list[str]) -> str:
    """The commit message in what precedes a diff: of mails, `git show`, `git log -p`; headers, trailers dropped."""
    text = "\n".join(lines)[:_MAX_MESSAGE_CHARS]
    if not text.strip():
        return ""
    is_mail = _MAIL.search(text) is not None or text.startswith(("From:", "Subject:", "Date:"))
    is_show = text.lstrip().startswith("commit ")
    out: list[str] = []
    body = not (is_mail or is_show)
    subject = False
    cut = False
    for line in text.split("\n"):
        if line.startswith("From ") and _MAIL.match(line):
            body = subject = cut = False
            if out:
                out.append("")
        elif not body and line.startswith("Subject:"):
            out.append(_SUBJECT.sub("", line[8:].strip()))
            subject = True
        elif not body and subject and line[:1] in (" ", "\t"):
            out[-1] += " " + line.strip()
        elif not body and not line.strip():
            body = True
            out.append("")
        elif not body:
            subject = False
        elif is_show and line.startswith(("commit ", "Author:", "Date:")):
            body = False
        elif is_mail and line.rstrip() == "---":
            cut = True
        elif (
            not cut
            and not _TRAILER.match(line.strip())
            and not _STAT.match(line)
            and not (_MAIL_HEADER.match(line) and not out)
        ):
            out.append(line[4:] if is_show and line.startswith("    ") else line)
    return "\n".join(out).strip()


class _Parser:
    def __init__(self) -> None:
        self.files: list[_File] = []
        self.file: _File | None = None
        self.head: list[str] = []
        self.old_left = self.new_left = 0
        self.line = 0
        self.parents = 1
        self.pending = ""  # path of a `---` line that waits for its `+++`
        self.in_hunk = False

    def feed(self, line: str) -> None:
        if self.in_hunk and self._body(line):
            return
        self.in_hunk = False
        if line.startswith("diff --"):
            match = _GIT.match(line)
            if match:
                self._start()
                if self.file is not None:
                    old, new = _two_paths(match[2]) if match[1] == "git" else (match[2], _unquote(match[2]))
                    self.file.path, self.file.old = new, (old if match[1] == "git" else None)
                return
        if line.startswith("@@"):
            self._hunk(line)
            return
        if line.startswith("--- ") and not self._meta(line):
            self.pending = line[4:]
            return
        if line.startswith("+++ ") and self.pending:
            self._sides(self.pending, line[4:])
            self.pending = ""
            return
        if self.file is not None and self._meta(line):
            return
        if line.startswith(("From ", "commit ")) and self.file is not None:
            self.file = None  # the next mail or commit
        if self.file is None and len(self.head) < 2_000:
            self.head.append(line)

    def finish(self) -> tuple[DiffFile, ...]:
        merged: dict[str, _File] = {}
        for file in self.files:
            if not file.path:
                continue
            known = merged.get(file.path)
            if known is None:
                merged[file.path] = file
            else:  # several commits of a series change it
                known.spans += file.spans
                known.added += file.added
                known.removed += file.removed
        return tuple(
            DiffFile(
                path=f.path,
                old_path=None if f.new else f.old or f.path,
                spans=tuple(_joined(f.spans)),
                added="\n".join(f.added),
                removed="\n".join(f.removed),
            )
            for f in merged.values()
        )

    def _start(self) -> None:
        self.pending = ""
        self.file = _File()
        if len(self.files) < MAX_FILES:
            self.files.append(self.file)

    def _meta(self, line: str) -> bool:
        file = self.file
        if file is None:
            return False
        for prefix in ("rename from ", "copy from "):
            if line.startswith(prefix):
                file.old = _unquote(line[len(prefix) :])
                return True
        for prefix in ("rename to ", "copy to "):
            if line.startswith(prefix):
                file.path = _unquote(line[len(prefix) :])
                return True
        if line.startswith("new file mode"):
            file.new = True
        elif line.startswith("deleted file mode"):
            file.deleted = True
        return line.startswith(
            (
                "new file",
                "deleted file",
                "old mode",
                "new mode",
                "index ",
                "similarity ",
                "dissimilarity ",
                "Binary files",
                "GIT binary patch",
                "mode ",
                "\\ No newline",
                "Only in ",
            )
        )

    def _sides(self, before: str, after: str) -> None:
        old, new = _side(before, "a/"), _side(after, "b/")
        if self.file is None or self.file.spans or self.file.added or self.file.removed:
            self._start()
        if self.file is None or (old is None and new is None):
            return
        if old is None:
            self.file.new = True
        if new is None:
            self.file.deleted = True
        self.file.path = new or old or ""
        self.file.old = old

    def _hunk(self, line: str) -> None:
        match = _HUNK.match(line)
        combined = None if match else _COMBINED.match(line)
        if self.file is None or (match is None and combined is None):
            return
        if match:
            self.parents = 1
            self.old_left, start, self.new_left = int(match[2] or 1), int(match[3]), int(match[4] or 1)
            title = match[5]
        elif combined:
            self.parents = len(combined[1]) - 1
            counts = [int(part.partition(",")[2] or 1) for part in combined[2].split()]
            self.old_left, start, self.new_left = sum(counts), int(combined[3]), int(combined[4] or 1)
            title = combined[5]
        self.line = min(start, _MAX_LINE)
        self.in_hunk = self.old_left > 0 or self.new_left > 0
        if title.strip():
            self.file.added.append("@@ " + title.strip()[:300])

    def _body(self, line: str) -> bool:
        """One line of a hunk; False when the hunk is over."""
        if line.startswith("\\"):
            return True
        if self.file is None or (self.old_left <= 0 and self.new_left <= 0):
            return False
        marks = line[: self.parents]
        if marks.strip(" +-"):
            return False
        if self.parents == 1 and line.startswith("diff --git "):
            return False
        content = line[self.parents :]
        if "-" in marks:
            self.old_left -= max(1, marks.count("-"))
            self.file.removed.append(content)
            self.file.spans.append(
                (max(1, self.line - 1), max(1, self.line - 1)) if self.new_left else (max(1, self.line),) * 2
            )
        elif "+" in marks:
            self.old_left -= self.parents - marks.count("+")
            self.new_left -= 1
            self.file.added.append(content)
            self.file.spans.append((max(1, self.line),) * 2)
            self.line += 1
        else:
            self.old_left -= self.parents
            self.new_left -= 1
            self.line += 1
        return True


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start, end in sorted(set(spans)):
        if out and start <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _side(text: str, prefix: str) -> str | None:
    """The path of a `---` or `+++` line; None for /dev/null."""
    text = text if text.startswith('"') else text.split("\t", 1)[0]
    path = _unquote(text.strip())
    if path == "/dev/null" or not path:
        return None
    for known in (prefix, "a/", "b/", "i/", "w/", "c/", "o/"):
        if path.startswith(known):
            return path[2:]
    return path


def _two_paths(text: str) -> tuple[str, str]:
    """Both paths of a `diff --git a/x b/x` line, whose spaces are ambiguous unless both are the same."""
    text = text.strip()
    if text.startswith('"'):
        end = _quote_end(text)
        return _strip(_unquote(text[: end + 1])), _strip(_unquote(text[end + 1 :].strip()))
    if text.endswith('"'):
        first, _, second = text.partition(' "')
        return _strip(first), _strip(_unquote('"' + second))
    half = len(text) // 2
    if len(text) % 2 and text[half] == " " and _strip(text[:half]) == _strip(text[half + 1 :]):
        return _strip(text[:half]), _strip(text[half + 1 :])
    first, _, second = text.partition(" b/")
    if second:
        return _strip(first), second
    first, _, second = text.partition(" ")
    return _strip(first), _strip(second or first)


def _strip(path: str) -> str:
    return path[2:] if len(path) > 2 and path[1] == "/" else path


def _quote_end(text: str) -> int:
    at = 1
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        if text[at] == '"':
            return at
        at += 1
    return len(text) - 1


def _unquote(text: str) -> str:
    """A path as git prints it: octal escapes are bytes of UTF-8."""
    text = text.rstrip("\t ")
    if len(text) < 2 or not (text.startswith('"') and text.endswith('"')):
        return text
    out = bytearray()
    at = 0
    body = text[1:-1]
    for match in _ESCAPE.finditer(body):
        out += body[at : match.start()].encode("utf-8", "surrogatepass")
        code = match[1]
        out += (
            bytes([int(code, 8) & 0xFF])
            if len(code) == 3
            else _ESCAPES.get(code, code).encode("utf-8", "surrogatepass")
        )
        at = match.end()
    out += body[at:].encode("utf-8", "surrogatepass")
    return out.decode("utf-8", "replace")
