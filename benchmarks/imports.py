"""Share of a repository's internal imports that resolve to its files, a language each on one real repository.

    python -m benchmarks.imports --repos DIR [--only NAME ...] [--show N]

`--repos` is a folder of bare git repositories (`owner+name/repo`, `owner+name` or `owner/name`). Which imports are
internal is judged here, from paths and from declarations found by regular expressions, not by the resolvers.
"""

import argparse
import json
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from zeroin import __version__
from zeroin.corpus.languages import HEAD_BYTES, language_of
from zeroin.imports.graph import ImportResolver, resolve_imports
from zeroin.imports.tree import Tree
from zeroin.parsing.analyse import analyse
from zeroin.parsing.facts import Facts
from zeroin.tree import Import

RESULTS = Path(__file__).parent / "results" / "imports.json"
DOCUMENT = Path(__file__).parents[1] / "docs" / "LANGUAGES.md"
MARKS = ("<!-- imports: begin -->", "<!-- imports: end -->")
TARGET = 0.9
# (row, languages, repository)
ROWS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("Python", ("python",), "dask/dask"),
    ("Python, several roots", ("python",), "PrefectHQ/prefect"),
    ("JavaScript", ("javascript",), "NodeBB/NodeBB"),
    ("TypeScript", ("typescript", "tsx"), "trpc/trpc"),
    ("Vue, TypeScript", ("vue", "typescript", "tsx"), "PrefectHQ/prefect"),
    ("Go", ("go",), "zeromicro/go-zero"),
    ("Rust", ("rust",), "tokio-rs/tracing"),
    ("Java", ("java",), "apache/dubbo"),
    ("Kotlin", ("kotlin",), "ktorio/ktor"),
    ("Scala", ("scala",), "circe/circe"),
    ("C", ("c",), "libuv/libuv"),
    ("C++", ("cpp", "c"), "catchorg/Catch2"),
    ("C#", ("csharp",), "DapperLib/Dapper"),
    ("Ruby", ("ruby",), "sinatra/sinatra"),
    ("PHP", ("php",), "Seldaek/monolog"),
    ("Elixir", ("elixir",), "elixir-plug/plug"),
    ("Haskell", ("haskell",), "xmonad/xmonad"),
    ("Lua", ("lua",), "folke/lazy.nvim"),
    ("Bash", ("bash",), "bats-core/bats-core"),
    ("Zig", ("zig",), "Hejsil/zig-clap"),
    ("Objective-C", ("objc",), "transmission/transmission"),
    ("Haxe", ("haxe",), "HaxeFlixel/flixel"),
    ("Lean", ("lean",), "leanprover-community/batteries"),
    ("Gleam", ("gleam",), "gleam-lang/stdlib"),
)


@dataclass(frozen=True)
class Repository:
    """One revision in memory: analysed files by path."""

    name: str
    commit: str
    contents: Mapping[str, bytes]
    facts: Mapping[str, Facts]


Internal = Callable[[str, Import], bool]


def git(repository: Path, *arguments: str, data: bytes = b"") -> bytes:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def locate(repos: Path, name: str) -> Path | None:
    joined = name.replace("/", "+")
    places = (repos / joined / "repo", repos / joined, repos / f"{joined}.git", repos / name)
    return next((place for place in places if place.is_dir()), None)


def read_tree(place: Path, name: str, languages: Iterable[str]) -> Repository:
    """Every file of HEAD; those of `languages` analysed."""
    wanted = set(languages)
    listed = [row.split(b"\t", 1) for row in git(place, "ls-tree", "-r", "-z", "HEAD").split(b"\0") if b" blob " in row]
    names = [(head.split()[2], path.decode("utf-8", "surrogateescape")) for head, path in listed]
    raw = git(place, "cat-file", "--batch", data=b"".join(blob + b"\n" for blob, _ in names))
    contents: dict[str, bytes] = {}
    at = 0
    for _, path in names:
        end = raw.index(b"\n", at)
        head = raw[at:end].split()
        size = int(head[2]) if len(head) == 3 else 0
        contents[path] = raw[end + 1 : end + 1 + size]
        at = end + 1 + (size + 1 if len(head) == 3 else 0)
    facts = {}
    for path, data in contents.items():
        language = language_of(path, data[:HEAD_BYTES])
        if language in wanted:
            facts[path] = analyse(data, language)
        else:
            facts[path] = Facts(language, len(data), 0, "text")
    commit = git(place, "rev-parse", "HEAD").decode().strip()
    return Repository(name, commit, contents, facts)


def declared(repository: Repository, ending: str | tuple[str, ...], pattern: str) -> set[str]:
    """What a regular expression finds at the start of lines in the files of an ending."""
    search = re.compile(pattern.encode(), re.MULTILINE)
    found: set[str] = set()
    for path, data in repository.contents.items():
        if path.endswith(ending):
            found.update(match.decode("utf-8", "replace") for match in search.findall(data))
    return found


def starts(module: str, prefixes: set[str], separator: str) -> bool:
    parts = module.split(separator)
    return any(separator.join(parts[:size]) in prefixes for size in range(len(parts), 0, -1))


def judge(repository: Repository, languages: tuple[str, ...]) -> Internal:
    """What tells an internal import of these languages from an external one."""
    paths = repository.contents
    first = languages[0]
    if first == "python":
        packages = {path.rpartition("/")[0] for path in paths if path.endswith("/__init__.py")}
        outer = {package for package in packages if package.rpartition("/")[0] not in packages}
        tops = {package.rpartition("/")[2] for package in outer} - set(sys.stdlib_module_names)
        return lambda path, i: i.module.startswith(".") or i.module.split(".")[0] in tops
    if first in ("javascript", "typescript", "vue"):
        names = set()
        for path, data in paths.items():
            if path.endswith("package.json"):
                match = re.search(rb'^\s{0,4}"name"\s*:\s*"([^"]+)"', data, re.MULTILINE)
                names |= {match[1].decode()} if match else set()
        return lambda path, i: i.module.startswith((".", "#", "@/", "~/")) or starts(i.module, names, "/")
    if first == "go":
        modules = declared(repository, "go.mod", r"^module\s+(\S+)")
        return lambda path, i: starts(i.module, modules, "/")
    if first == "rust":
        crates = {
            name.replace("-", "_")
            for name in declared(repository, "Cargo.toml", r'^\[package\][^\[]*?^name\s*=\s*"([^"]+)"')
        }
        own = crates | {"crate", "self", "super"}
        return lambda path, i: (
            i.module.startswith("mod ") or bool({"mod", "path"} & set(i.names)) or i.module.split("::")[0] in own
        )
    if first in ("java", "kotlin", "scala"):
        packages = declared(repository, (".java", ".kt", ".scala"), r"^\s*package\s+([\w.]+)")
        dotted = {package for package in packages if "." in package}
        return lambda path, i: starts(i.module, dotted, ".")
    if first == "haxe":
        packages = declared(repository, ".hx", r"^package\s+([\w.]+)")
        return lambda path, i: starts(i.module, packages, ".")
    if first in ("lean", "gleam"):
        parts = {
            path.removeprefix("src/").split("/")[0] for path in paths if path.endswith(f".{first}") and "/" in path
        }
        return lambda path, i: re.split(r"[./]", i.module)[0] in parts
    if first in ("c", "cpp", "objc"):
        own = {m[1] for path in paths if (m := re.search(r"(?:^|/)(?:include|src)/([^/]+)/.*\.h(?:pp)?$", path))}
        return lambda path, i: (
            "system" not in i.names or (first == "cpp" and "/" in i.module and i.module.split("/")[0] in own)
        )
    if first == "csharp":
        spaces = {name.split(".")[0] for name in declared(repository, ".cs", r"^\s*namespace\s+([\w.]+)")}
        spaces -= {"System", "Microsoft"}  # a repository may add to them; they are still the platform's
        return lambda path, i: i.module.split(".")[0] in spaces
    if first == "ruby":
        below = [path.rpartition("/lib/")[2] for path in (f"/{path}" for path in paths) if "/lib/" in path]
        libraries = {path.removesuffix(".rb") for path in below if path.count("/") < 2}
        libraries |= {"/".join(path.split("/")[:2]) for path in below}
        return lambda path, i: (
            "require_relative" in i.names or i.module.startswith(".") or starts(i.module, libraries, "/")
        )
    if first == "php":
        spaces = declared(repository, ".php", r"^\s*namespace\s+([\w\\]+)")
        return lambda path, i: "require" in i.names or starts(i.module, spaces, "\\")
    if first == "elixir":
        modules = set(declared(repository, (".ex", ".exs"), r"^\s*defmodule\s+([\w.]+)"))
        return lambda path, i: starts(i.module, modules, ".") or i.module.startswith("__MODULE__")
    if first == "haskell":
        modules = {name.split(".")[0] for name in declared(repository, ".hs", r"^module\s+([\w.]+)")} - {"Main"}
        return lambda path, i: i.module.split(".")[0] in modules
    if first == "lua":
        tops = {m[1] for path in paths if (m := re.search(r"(?:^|/)lua/([^/]+?)(?:\.lua)?(?:/|$)", path))}
        return lambda path, i: re.split(r"[./]", i.module)[0] in tops
    if first == "bash":
        return lambda path, i: not re.search(r"^[/~<]|[$<`][^/]*$", i.module)
    return lambda path, i: i.module.endswith(".zig")


def measure(repository: Repository, row: str, languages: tuple[str, ...], show: int) -> dict[str, object]:
    """Counts of one row of the table."""
    paths = sorted(repository.facts)
    facts = [repository.facts[path] for path in paths]
    tree = Tree(
        paths,
        [fact.language for fact in facts],
        lambda doc: facts[doc].definitions,
        repository.contents.get,
        lambda doc: facts[doc].names,
    )
    started = time.perf_counter()
    sources, _ = resolve_imports(tree, lambda doc: facts[doc].imports)
    seconds = time.perf_counter() - started
    resolver = ImportResolver(tree)
    internal = judge(repository, languages)
    total = resolved = imports = extra = 0
    failed: list[str] = []
    for doc, fact in enumerate(facts):
        if fact.language not in languages:
            continue
        for imported in fact.imports:
            imports += 1
            found = resolver.resolve(doc, imported)
            if not internal(paths[doc], imported):
                extra += bool(found)
                continue
            total += 1
            if found:
                resolved += 1
            else:
                failed.append(f"{paths[doc]}:{imported.line}: {imported.module} {imported.names}")
    for line in failed[:: max(1, len(failed) // show)][:show] if show else ():
        print("   ", line)
    return {
        "language": row,
        "repository": repository.name,
        "commit": repository.commit,
        "files": sum(fact.language in languages for fact in facts),
        "imports": imports,
        "internal": total,
        "resolved": resolved,
        "share": round(resolved / total, 4) if total else None,
        "resolved_beyond": extra,
        "edges": len(sources),
        "seconds": round(seconds, 3),
    }


def table(rows: list[dict[str, object]]) -> str:
    lines = [
        "| language | repository | commit | files | imports | internal | resolved | share |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        share = f"{row['share']:.1%}" if row["share"] is not None else "–"
        lines.append(
            f"| {row['language']} | {row['repository']} | `{str(row['commit'])[:10]}` | {row['files']} "
            f"| {row['imports']} | {row['internal']} | {row['resolved']} | {share} |"
        )
    return "\n".join(lines)


def write_table(rows: list[dict[str, object]]) -> None:
    """Put the table between its marks in docs/LANGUAGES.md, if they are there."""
    if not DOCUMENT.exists():
        return
    text = DOCUMENT.read_text(encoding="utf-8")
    begin, end = (text.find(mark) for mark in MARKS)
    if 0 <= begin < end:
        text = text[: begin + len(MARKS[0])] + "\n" + table(rows) + "\n" + text[end:]
        DOCUMENT.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories")
    parser.add_argument("--only", nargs="*", default=[], help="rows to measure; nothing is written then")
    parser.add_argument("--show", type=int, default=0, help="unresolved internal imports to print a row")
    options = parser.parse_args()
    rows = []
    for row, languages, name in ROWS:
        if options.only and row not in options.only:
            continue
        place = locate(options.repos, name)
        if place is None:
            print(f"{row}: {name} is not in {options.repos}", file=sys.stderr)
            continue
        repository = read_tree(place, name, languages)
        rows.append(measure(repository, row, languages, options.show))
        print(json.dumps(rows[-1]), flush=True)
    print(table(rows))
    if not options.only:
        RESULTS.parent.mkdir(exist_ok=True)
        result = {
            "command": "python -m benchmarks.imports --repos DIR",
            "zeroin": __version__,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "target": TARGET,
            "rows": rows,
        }
        RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        write_table(rows)


if __name__ == "__main__":
    main()
