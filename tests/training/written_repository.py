"""A git repository with a history that a test writes change by change."""

from pathlib import Path

from tests.repositories import git, write


class Repo:
    """A repository in a folder of its own; every change is a minute later than the one before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.minute = 0
        folder.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, author: str = "Ann Author") -> str:
        self.minute += 1
        return git(self.folder, *arguments, seconds=1_600_000_000 + 60 * self.minute, author=author)

    def change(self, message: str, files: dict[str, str | None], author: str = "Ann Author") -> str:
        for name, text in files.items():
            if text is None:
                (self.folder / name).unlink()
            else:
                write(self.folder, {name: text})
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, author=author)
        return self.git("rev-parse", "HEAD")
