"""Answers about real repositories, a plain one and a hostile one."""

from pathlib import Path

import pytest

from tests.report.pages import EVIL, EVIL_FILES, EVIL_MESSAGE, FILES, TASK, asked, build
from zeroin.session import Session


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="session")
def plain(place: Path) -> Session:
    (place / "plain").mkdir()
    return asked(build(place / "plain", FILES, "Throttle: a rate limit for clients that retry"), TASK)


@pytest.fixture(scope="session")
def hostile(place: Path) -> Session:
    (place / "hostile").mkdir()
    folder = build(place / "hostile", {**FILES, **EVIL_FILES}, EVIL_MESSAGE)
    return asked(folder, f"{TASK} {EVIL.replace(chr(0), '')}")
