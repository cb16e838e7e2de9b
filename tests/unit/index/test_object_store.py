"""Facts travel through an object store: a server that speaks the protocol of S3, and the driver that users install.

Needs more than the extras: pip install 'zeroin[remote]' s3fs 'moto[s3,server]'
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repositories import repository
from tests.unit.index.shared_facts import FILES
from zeroin.kept_indexes import build_index, export_facts

s3fs = pytest.importorskip("s3fs", reason="pip install 'zeroin[remote]' s3fs 'moto[s3,server]'")
server = pytest.importorskip("moto.server", reason="pip install 'zeroin[remote]' s3fs 'moto[s3,server]'")


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    running.start()
    host, port = running.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    for name, value in (("ACCESS_KEY_ID", "a"), ("SECRET_ACCESS_KEY", "b"), ("DEFAULT_REGION", "us-east-1")):
        monkeypatch.setenv(f"AWS_{name}", value)
    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem().mkdir("facts")
    yield "s3://facts/team"
    running.stop()


def test_facts_are_taken_from_an_object_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str) -> None:
    root = repository(tmp_path / "r", FILES)
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "first"))
    build_index(root, jobs=1)
    assert export_facts(root, store) == len(FILES)
    assert export_facts(root, store) == 0
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "second"))
    assert build_index(root, jobs=1, facts=store).analysed == 0
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "third"))
    empty = build_index(root, jobs=1, facts="s3://facts/others")
    assert empty.analysed == len(FILES) and "it has none for this version" in " ".join(empty.warnings)
