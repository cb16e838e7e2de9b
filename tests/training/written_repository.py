"""A git repository with a history that a test writes change by change."""

import os
import subprocess
from pathlib import Path


class Repo:
    """A repository in a folder of its own; every change is a minute later than the one before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.minute = 0
        folder.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, author: str = "Ann Author") -> str:
        self.minute += 1
        when = f"{1_600_000_000 + 60 * self.minute} +0000"
        people = {
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", author), ("EMAIL", "a@example.org"), ("DATE", when))
        }
        environment = {**os.environ, **people, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def change(self, message: str, files: dict[str, str | None], author: str = "Ann Author") -> str:
        for name, text in files.items():
            path = self.folder / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, author=author)
        return self.git("rev-parse", "HEAD")
