"""Which share of the functions and types of a real repository do we find? One repository a language.

    python -m benchmarks.definitions --repos DIR [--language L …] [--out FILE] [--docs FILE] [--misses N]

The reference is the `ast` module for Python, universal-ctags (`ctags` on the path, built with JSON) for what it
reads, and a line grammar (below) for Scala, Swift and Zig, which it does not. A definition counts as found when
we have one of its name whose name stands on the same line ±1, or, where we join the clauses of one function
(Elixir, Haskell), whose span holds the line.
DIR holds git repositories, bare or not, as `owner/name`, `owner+name` or `owner+name/repo`.
"""

import argparse
import ast
import json
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from zeroin.corpus.decode import decode
from zeroin.corpus.languages import HEAD_BYTES, language_of
from zeroin.parsing.analyse import outline_of
from zeroin.parsing.outline import RawDefinition

MAX_FILES = 400
Tag = tuple[str, int, str]  # name, line, kind


@dataclass(frozen=True, slots=True)
class Case:
    """A language, the repository that stands for it, its extensions, and the ctags kinds that are checked."""

    language: str
    repository: str
    extensions: tuple[str, ...]
    ctags: str = ""
    kinds: str = ""
    path: str = ""


CASES = (
    Case("python", "pallets/click", (".py",)),
    Case("javascript", "NodeBB/NodeBB", (".js", ".mjs", ".cjs", ".jsx"), "JavaScript", "fcmgGS"),
    Case("typescript", "trpc/trpc", (".ts", ".mts"), "TypeScript", "fcigmnaG"),
    Case("tsx", "trpc/trpc", (".tsx",), "TypeScript", "fcigmnaG"),
    Case("go", "spf13/cobra", (".go",), "Go", "fstian"),
    Case("rust", "sharkdp/fd", (".rs",), "Rust", "nsifgtMP"),
    Case("java", "google/gson", (".java",), "Java", "acgim"),
    Case("kotlin", "ktorio/ktor", (".kt",), "Kotlin", "icomT"),
    Case("scala", "circe/circe", (".scala",)),
    Case("c", "libuv/libuv", (".c", ".h"), "C", "fgstu"),
    Case("cpp", "fmtlib/fmt", (".cc", ".cpp", ".h"), "C++", "fgstucn"),
    Case("csharp", "DapperLib/Dapper", (".cs",), "C#", "cgimnst"),
    Case("ruby", "sinatra/sinatra", (".rb",), "Ruby", "cfmS"),
    Case("php", "Seldaek/monolog", (".php",), "PHP", "cfint"),
    Case("swift", "SnapKit/SnapKit", (".swift",)),
    Case("elixir", "elixir-plug/plug", (".ex", ".exs"), "Elixir", "pmfdgay"),
    Case("haskell", "xmonad/xmonad", (".hs",), "Haskell", "tcfm"),
    Case("lua", "folke/lazy.nvim", (".lua",), "Lua", "f"),
    Case("bash", "bats-core/bats-core", (".bash", ".sh"), "Sh", "f"),
    Case("zig", "Hejsil/zig-clap", (".zig",)),
    Case("objc", "transmission/transmission", (".m", ".mm"), "ObjectiveC", "iIPmcfp"),
    Case("julia", "JuliaData/DataFrames.jl", (".jl",), "Julia", "fmst"),
    Case("erlang", "erlang/rebar3", (".erl", ".hrl"), "Erlang", "fmrt"),
    Case("haxe", "HaxeFlixel/flixel", (".hx",), "Haxe", "mceti"),
    Case("matlab", "spm/spm12", (".m",), "MatLab", "f"),
    Case("puppet", "voxpupuli/puppet-nginx", (".pp",), "PuppetManifest", "cdn"),
    Case("verilog", "YosysHQ/picorv32", (".v",), "Verilog", "mft"),
)

# Definitions as the language's own grammar begins them, at the start of a line outside comments and strings.
_BY_LINE = {
    "scala": r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:override|final|private|protected|implicit|sealed|abstract|lazy"
    r"|inline|case|open|transparent|opaque)(?:\[\w+\])?\s+)*(?P<kind>def|class|trait|object|enum|type)\s+"
    r"(?P<name>[A-Za-z_]\w*)",
    "swift": r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|internal|fileprivate|open|static|final|override"
    r"|mutating|indirect|convenience|required|nonisolated|class(?=\s+func))(?:\(set\))?\s+)*"
    r"(?P<kind>func|class|struct|enum|protocol|extension|typealias)\s+(?P<name>[A-Za-z_]\w*)",
    "zig": r"^\s*(?:pub\s+)?(?:export\s+|inline\s+|extern\s+(?:\"c\"\s+)?)?(?:(?P<kind>fn)\s+(?P<name>\w+)"
    r"|const\s+(?P<name2>\w+)\s*=\s*(?:packed\s+|extern\s+)?(?:struct|enum|union|opaque|error)\b\s*[({])",
}
_NOISE = re.compile(r"/\*.*?\*/|//[^\n]*|\"\"\".*?\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|\\\\[^\n]*", re.DOTALL)


def main(argv: list[str] | None = None) -> int:
    """Runs the cases, prints a table and writes the results; 1 where a language stays under 95 %."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--language", action="append", help="only this one; may be repeated")
    parser.add_argument("--repository", help="measure this owner/name instead of the language's usual one")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--docs", type=Path, help="file whose table between the markers is replaced")
    parser.add_argument("--misses", type=int, default=0, help="print this many of what was not found")
    args = parser.parse_args(argv)
    rows = []
    for case in CASES:
        if args.language and case.language not in args.language:
            continue
        repository = args.repository or case.repository
        git_dir = find_repository(args.repos, repository)
        if git_dir is None:
            print(f"{case.language:11} {repository}: not under {args.repos}", file=sys.stderr)
            continue
        row = measure(case, repository, git_dir, args.misses)
        rows.append(row)
        print(
            f"{row['language']:11} {row['repository']:24} {row['files']:4} files  "
            f"{row['found']:5} of {row['reference']:5}  {row['share']:.1%}  ({row['oracle']})"
        )
    result = {
        "command": "python -m benchmarks.definitions --repos DIR",
        "machine": f"{platform.machine()} {platform.system()}, Python {platform.python_version()}",
        "ctags": _first_line(["ctags", "--version"]),
        "rows": rows,
    }
    if args.out:
        args.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if args.docs:
        write_table(args.docs, rows)
    return int(any(row["share"] < 0.95 for row in rows))


def find_repository(folder: Path, name: str) -> Path | None:
    """The git directory of `owner/name` below a folder, in any of the layouts of the docstring."""
    flat = name.replace("/", "+")
    layouts = (name, f"{name}.git", f"{flat}/repo", flat, f"{flat}.git")
    for candidate in (folder / layout for layout in layouts):
        for path in (candidate / ".git", candidate):
            if (path / "HEAD").is_file() and (path / "objects").is_dir():
                return path
    return None


def measure(case: Case, repository: str, git_dir: Path, misses: int) -> dict[str, object]:
    """One row: how many reference definitions there are and how many of them we find."""
    reference = found = count = 0
    missing: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = list(checkout(git_dir, case.extensions, folder))
        oracle = dict(reference_tags(case, folder, files))
        for path in files:
            count += 1
            data = (folder / path).read_bytes()
            ours = definitions_of(data, language_of(path, data[:HEAD_BYTES]))
            for tag in oracle.get(path, ()):
                reference += 1
                if holds(ours, tag, merged=case.language in ("elixir", "haskell")):
                    found += 1
                else:
                    missing.append(f"    {path}:{tag[1]} {tag[2]} {tag[0]}")
    for line in missing[:misses]:
        print(line)
    return {
        "language": case.language,
        "repository": repository,
        "commit": _first_line(["git", "--git-dir", str(git_dir), "rev-parse", "HEAD"]),
        "oracle": "ast" if case.language == "python" else "ctags" if case.ctags else "by line",
        "files": count,
        "reference": reference,
        "found": found,
        "share": round(found / reference, 4) if reference else 1.0,
    }


def checkout(git_dir: Path, extensions: tuple[str, ...], folder: Path) -> Iterator[str]:
    """Writes the files of HEAD with these extensions under `folder`, at most `MAX_FILES` evenly chosen."""
    git = ["git", "--git-dir", str(git_dir)]
    listed = subprocess.run([*git, "ls-tree", "-r", "-z", "HEAD"], capture_output=True, check=True).stdout
    entries = []
    for record in listed.split(b"\0"):
        head, _, path = record.partition(b"\t")
        fields = head.split()
        if len(fields) == 3 and fields[0].startswith(b"100") and path.decode("utf-8", "replace").endswith(extensions):
            entries.append((path.decode("utf-8", "replace"), fields[2]))
    step = max(1, -(-len(entries) // MAX_FILES))
    entries = entries[::step]
    names = b"".join(blob + b"\n" for _, blob in entries)
    blobs = subprocess.run([*git, "cat-file", "--batch"], input=names, capture_output=True, check=True).stdout
    at = 0
    for path, _ in entries:
        line_end = blobs.index(b"\n", at)
        fields = blobs[at:line_end].split()
        at = line_end + 1
        if fields[-1] == b"missing":
            continue
        size = int(fields[2])
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(blobs[at : at + size])
        at += size + 1
        yield path


def definitions_of(data: bytes, language: str) -> list[RawDefinition]:
    """Our definitions, with the line of each name."""
    return outline_of(decode(data).text, language)[0].found


def holds(ours: Iterable[RawDefinition], tag: Tag, *, merged: bool) -> bool:
    """Whether one of our definitions is this one."""
    for item in ours:
        if same(item.name, tag[0]) and (
            abs(item.name_line - tag[1]) <= 1 or (merged and item.start <= tag[1] <= item.end)
        ):
            return True
    return False


def same(ours: str, theirs: str) -> bool:
    """Whether two names mean the same: ctags cuts the module `A.B` of Haskell to `A`."""
    return last_part(ours) == last_part(theirs) or ours.split(".")[0] == theirs


def last_part(name: str) -> str:
    """A name without what it is qualified with: `a::b` and `A.B` are compared by their end."""
    if name.startswith("operator"):
        return "".join(name.split())
    return re.split(r"[.:\\]+", name)[-1] or name


# --- references ---------------------------------------------------------------------------------


def reference_tags(case: Case, folder: Path, files: list[str]) -> Iterator[tuple[str, list[Tag]]]:
    """(path, definitions that the reference finds there)."""
    if case.language == "python":
        for path in files:
            yield path, list(_python_tags((folder / path).read_bytes()))
    elif case.ctags:
        yield from _ctags(case, folder, files)
    else:
        pattern = re.compile(_BY_LINE[case.language], re.MULTILINE)
        for path in files:
            text = _NOISE.sub(_blank, (folder / path).read_text(encoding="utf-8", errors="replace"))
            tags = []
            for match in pattern.finditer(text):
                name = match["name"] or match["name2"]
                tags.append((name, text.count("\n", 0, match.end()) + 1, match["kind"] or "type"))
            yield path, tags


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _python_tags(data: bytes) -> Iterator[Tag]:
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node.lineno, type(node).__name__


_ANONYMOUS = re.compile(r"^(?:__anon|[Aa]nonymous|Companion$|<)|[<\"=]$")


def _is_real(language: str, tag: dict[str, str]) -> bool:
    """Whether a tag is a definition; universal-ctags 5.9 also takes for one what the cases below name."""
    name, kind, line = tag["name"], tag["kind"], tag.get("pattern", "")
    if _ANONYMOUS.search(name):
        return False
    if language == "javascript" and kind == "class":  # object literals
        return bool(re.search(r"\bclass\b", line))
    if language in ("typescript", "tsx") and kind == "alias":  # `import {type X}`
        return bool(re.search(rf"\btype\s+{re.escape(name)}\s*(?:[<=]|\$/)", line))
    if language == "rust" and kind == "module":  # `mod x;` says that a file x exists
        return "{" in line
    if language == "kotlin" and kind == "method":  # arguments of lambdas
        return bool(re.search(r"\bfun\b", line))
    if language in ("c", "cpp") and kind == "function":  # uses of macros
        return not re.match(r"[A-Z][A-Z0-9_]+$", name)
    if language == "haxe" and name == "abstract":  # `enum abstract Name`
        return False
    if language == "lua":  # calls with a function among the arguments
        return bool(re.search(r"\bfunction\s+[\w.:]+|=\s*function\b", line))
    return True


def _ctags(case: Case, folder: Path, files: list[str]) -> Iterator[tuple[str, list[Tag]]]:
    options = [f"--languages={case.ctags}", f"--kinds-{case.ctags}={case.kinds}", f"--map-{case.ctags}="]
    options[2:] = [f"--map-{case.ctags}=+{extension}" for extension in case.extensions]
    done = subprocess.run(
        ["ctags", "--output-format=json", "--fields=+nKP", "--sort=no", *options, "-f", "-", "-L", "-"],
        input="\n".join(files), cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    tags: dict[str, list[Tag]] = {}
    for line in done.stdout.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag" and _is_real(case.language, tag):
            name = tag["name"].partition(":")[0] if case.language == "objc" else tag["name"]  # of a selector
            tags.setdefault(tag["path"], []).append((name, tag["line"], tag["kind"]))
    yield from tags.items()


# --- output -------------------------------------------------------------------------------------

_BEGIN, _END = "<!-- definitions: begin -->", "<!-- definitions: end -->"


def write_table(path: Path, rows: list[dict[str, object]]) -> None:
    """Replaces the table between the markers of a document."""
    lines = ["| language | repository | reference | definitions | found |", "|---|---|---|--:|--:|"]
    for row in rows:
        share = float(str(row["share"]))
        lines.append(
            f"| {row['language']} | {row['repository']} | {row['oracle']} | {row['reference']} | {share:.1%} |"
        )
    text = path.read_text(encoding="utf-8")
    head, _, rest = text.partition(_BEGIN)
    _, _, tail = rest.partition(_END)
    path.write_text(head + _BEGIN + "\n" + "\n".join(lines) + "\n" + _END + tail, encoding="utf-8")


def _first_line(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.split("\n", maxsplit=1)[0]


if __name__ == "__main__":
    started = time.monotonic()
    code = main()
    print(f"{time.monotonic() - started:.0f} s")
    sys.exit(code)
