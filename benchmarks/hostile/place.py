"""A small shop in git whose answer is known, what lies outside of it, and a program that records any start."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TASK = "renew the coupon of a customer"
RIGHT = "shop/coupons/renew.py"
SECRET = "zanzibar_of_the_caller"
INSIDE = 'def renew_coupon(customer):\n    """Renew the coupon of a customer."""\n    return customer.coupon\n'
FILES = {
    RIGHT: INSIDE,
    "shop/till.py": "def pay(customer):\n    return customer.total()\n",
    "shop/stock.py": "def shelf(article):\n    return article.place\n",
    "shop/mail/send.py": "def send(letter, address):\n    return address.post(letter)\n",
    "README.md": "# Shop\n\nArticles, coupons, letters.\n",
}
_IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "a"), ("EMAIL", "a@example.org"), ("DATE", "2024-01-01T00:00:00Z"))
}


@dataclass(frozen=True, slots=True)
class Place:
    """A repository at `root`; `outside` holds secrets of the caller; `trap` writes into `mark` when it is started."""

    root: Path
    outside: Path
    trap: Path
    mark: Path

    def git(self, *arguments: str | bytes, stdin: bytes = b"", at: Path | None = None) -> str:
        """The output of git in the repository."""
        done = subprocess.run(
            ["git", "-C", str(at or self.root), *arguments],
            input=stdin,
            capture_output=True,
            check=True,
            env={**os.environ, **_IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull},
        )
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files below the root."""
        for name, data in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape"))

    def commit(self, message: str = "All of it") -> None:
        """Commit everything."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-F", "-", stdin=message.encode("utf-8", "surrogateescape"))

    def config(self, text: str) -> None:
        """Append to the configuration of the repository; `{trap}`, `{outside}` and `{root}` are filled in."""
        filled = text.format(trap=self.trap, outside=self.outside, root=self.root)
        with (self.root / ".git/config").open("a") as file:
            file.write(filled)

    def touch(self) -> None:
        """Change every tracked file without its size or age showing it: git must look inside."""
        index = (self.root / ".git/index").stat()
        for name in self.git("ls-files", "-z").split("\0")[:-1]:
            path = self.root / name
            if path.is_file() and not path.is_symlink():
                os.utime(path, ns=(index.st_mtime_ns, index.st_mtime_ns))


def build(folder: Path) -> Place:
    """A shop in `folder`, committed, with a second commit on the right file."""
    place = Place(folder / "root", folder / "outside", folder / "trap", folder / "mark")
    place.outside.mkdir(parents=True)
    told = INSIDE.replace("return customer.coupon", f"return {SECRET}")
    for name in ("renew.py", "coupon.md", "customer.cfg"):
        (place.outside / name).write_text(told)
    place.trap.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{place.mark}'\ncat\n")
    place.trap.chmod(0o755)
    place.root.mkdir()
    place.git("init", "-q", "-b", "main", ".")
    place.write(FILES)
    place.commit("Shop")
    place.write({RIGHT: INSIDE + "\n\nLIMIT = 3\n"})
    place.commit("Renew the coupon of a customer three times at most")
    return place
