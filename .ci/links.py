"""Every relative link of the project's Markdown files leads to a file that is there, and to a heading that is there."""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

_LINK = re.compile(
    r"(?<!!)\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()\s]*\))?)(?:\s+\"[^\"]*\")?\)|!\[[^\]]*\]\(([^()\s]+)\)"
)
_REFERENCE = re.compile(r"^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
_CODE = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$|`+[^`\n]*`+", re.MULTILINE | re.DOTALL)
_OUTSIDE = ("examples/", "tests/")  # repositories made for tests; their documents belong to them


def documents() -> list[Path]:
    """The Markdown files that git knows or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.md"]
    names = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
    return [Path(n) for n in names if n and not n.startswith(_OUTSIDE) and Path(n).is_file()]


def anchors(text: str) -> set[str]:
    """The names by which a hosting site links to the headings of `text`."""
    found: dict[str, int] = {}
    for heading in re.findall(r"^#{1,6}\s+(.+?)\s*#*$", re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S), re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
        if found[name]:
            found[f"{name}-{found[name]}"] = 0
    return set(found)


def broken(document: Path) -> list[str]:
    """What is wrong with the links of one document."""
    text = document.read_text(encoding="utf-8")
    prose = _CODE.sub("", text)
    targets = [a or b for a, b in _LINK.findall(prose)] + _REFERENCE.findall(prose)
    wrong = []
    for target in targets:
        if re.match(r"[a-z][a-z0-9+.-]*:", target, re.IGNORECASE):
            continue
        path, _, anchor = unquote(target.strip("<>")).partition("#")
        file = document.parent / path if path else document
        if not file.exists():
            wrong.append(f"{document}: {target} is not there\n")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
            wrong.append(f"{document}: {target} names no heading\n")
    return wrong


problems = [line for document in documents() for line in broken(document)]
sys.stderr.writelines(problems)
sys.exit(bool(problems))
