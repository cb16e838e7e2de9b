"""Places of shared facts: a folder, any file system of fsspec, or HTTP, which is read only.

No other module of the index uses the network, and this one is only imported once the user has named a place.
"""

import base64
import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPException
from math import inf
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Thread
from typing import IO, Any, Protocol
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener, url2pathname

from zeroin.errors import InputError
from zeroin.replacing import replacing

_SILENCE_S = 10.0  # that a server may take for the next bytes
_UNTAKEN_S = 600.0  # that a file in memory waits for its consumer
_AT_ONCE = 4  # files that are read at the same time
_CHUNK = 1 << 16
_SLOW = "it is too slow"


class Place(Protocol):
    """Files by name. All raise `OSError`; `FileNotFoundError` where there is no such file or nothing yet."""

    def read(self, name: str, most: int, until: float) -> bytes:
        """Return a file of at most so many bytes, unless that takes longer than `until` (monotonic)."""

    def names(self) -> list[str]:
        """Return the names of all files."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file, or replace it."""


def place_of(url: str, folder: str) -> Place:
    """Return the place of facts in a folder below what the user named. Raises `InputError`."""
    try:
        parts = urlsplit(url) if "://" in url else None
        if parts is None or parts.scheme == "file":
            return _Folder(Path(url if parts is None else url2pathname(parts.path)).expanduser() / folder)
        if parts.scheme in ("http", "https"):
            return _Web(url, folder)
    except ValueError as error:
        raise InputError(f"{shown(url)} is no URL: {error}") from error
    except RuntimeError as error:  # `~` of somebody who has no home
        raise InputError(f"{shown(url)} cannot be opened: {error}") from error
    try:
        import fsspec
    except ImportError as error:
        message = f"{shown(url)} needs the extra remote: pip install 'zeroin[remote]'"
        raise InputError(message) from error
    try:
        system, path = fsspec.core.url_to_fs(url)
    except OSError:
        raise
    except Exception as error:  # no such scheme, its driver is not installed, or wants more than a URL
        raise InputError(f"{shown(url)} cannot be opened: {error}") from error
    return _Remote(system, f"{path.rstrip('/')}/{folder}")


def shown(url: str) -> str:
    """Return a place without the password, the query and the fragment that may be in its URL."""
    with suppress(ValueError):
        parts = urlsplit(url)
        if "://" in url:
            return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    return url.partition("?")[0].rpartition("@")[2] if "://" in url else url


def read_all(
    place: Place, files: Mapping[str, int], wait_s: float, deadline: float = inf
) -> Iterator[tuple[str, bytes | OSError]]:
    """Yield the names and contents of files as they come; `files` gives the most bytes of each.

    Ends with an error after waiting `wait_s` in all, or at a deadline (monotonic). Daemon threads read the files, since
    a place may hang.
    """
    todo, done = deque(files.items()), Queue[tuple[str, bytes | OSError]](_AT_ONCE)
    limit_s = wait_s

    def work() -> None:
        with suppress(IndexError, Full):  # no file is left, or the caller has stopped
            while True:
                name, most = todo.popleft()
                result: bytes | OSError
                until = min(time.monotonic() + limit_s, deadline)
                try:
                    result = place.read(name, most, until)
                except OSError as error:
                    late = isinstance(getattr(error, "reason", error), TimeoutError)  # of a URLError, too
                    result = TimeoutError(_SLOW) if late else error
                done.put((name, result), timeout=_UNTAKEN_S)

    for _ in range(min(_AT_ONCE, len(files))):
        Thread(target=work, daemon=True).start()
    try:
        for _ in files:
            began = time.monotonic()
            found = done.get(timeout=max(0.0, min(wait_s, deadline - began)))
            wait_s -= time.monotonic() - began
            yield found
    except Empty:
        yield "", TimeoutError(_SLOW)
    finally:
        todo.clear()


class _Folder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, name: str, most: int, until: float) -> bytes:
        with open(self._path / name, "rb", opener=_unwaited) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(f"{name} is no regular file")
            return _bounded(file.read, most, until)

    def names(self) -> list[str]:
        if not self._path.exists():
            return []
        with os.scandir(self._path) as found:
            return [entry.name for entry in found if entry.is_file()]

    def write(self, name: str, data: bytes) -> None:
        self._path.mkdir(parents=True, exist_ok=True)
        with replacing(self._path / name) as file:
            file.write(data)


def _unwaited(path: str, flags: int) -> int:
    """Open a file without blocking: opening a pipe would wait for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


class _Remote:
    """An object store or the like. Its drivers raise any exception: each is translated to `OSError` here."""

    def __init__(self, system: Any, path: str) -> None:
        self._system, self._path = system, path

    def read(self, name: str, most: int, until: float) -> bytes:
        with _translated(), self._system.open(f"{self._path}/{name}", "rb") as file:
            return _bounded(file.read, most, until)

    def names(self) -> list[str]:
        self._system.invalidate_cache()
        with suppress(FileNotFoundError), _translated():
            return [str(path).rpartition("/")[2] for path in self._system.ls(self._path, detail=False)]
        return []

    def write(self, name: str, data: bytes) -> None:
        with _translated():
            try:
                self._system.pipe_file(f"{self._path}/{name}", data)
            except FileNotFoundError:  # a file system with folders
                self._system.makedirs(self._path, exist_ok=True)
                self._system.pipe_file(f"{self._path}/{name}", data)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {error}") from error


class _SameHost(HTTPRedirectHandler):
    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        if urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            raise OSError("it redirects to another host")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Web:
    def __init__(self, url: str, folder: str) -> None:
        parts = urlsplit(url)
        own, _, host = parts.netloc.rpartition("@")
        self._url = urlunsplit((parts.scheme, host, f"{parts.path.rstrip('/')}/{folder}", "", ""))
        self._headers = {"User-Agent": "zeroin"}
        if own:
            coded = base64.b64encode(unquote(own).encode()).decode()
            self._headers["Authorization"] = f"Basic {coded}"
        self._opener = build_opener(_SameHost)

    def read(self, name: str, most: int, until: float) -> bytes:
        try:
            request = Request(f"{self._url}/{name}", headers=self._headers)
            wait = max(0.1, min(_SILENCE_S, until - time.monotonic()))
            with self._opener.open(request, timeout=wait) as answer:
                if (answer.length or 0) > most:
                    raise OSError(f"a file is larger than {most:,} bytes")
                data = _bounded(answer.read1, most, until)
                if answer.length:  # bytes that were announced and did not come
                    raise OSError("it ended in the middle")
                return data
        except HTTPError as error:
            error.close()
            if error.code in (404, 410):
                raise FileNotFoundError(f"HTTP {error.code}") from error
            raise OSError(f"HTTP {error.code}") from error
        except (HTTPException, ValueError) as error:
            raise OSError(f"{type(error).__name__}: {error}") from error

    def names(self) -> list[str]:
        raise InputError("facts are only read over HTTP: write them into the folder or store behind it")

    def write(self, name: str, data: bytes) -> None:
        raise InputError(f"{name} is not written over HTTP")


def _bounded(read: Callable[[int], bytes], most: int, until: float) -> bytes:
    """Read to the end. Raises `OSError` for more bytes than expected, and after `until`."""
    parts: list[bytes] = []
    left = most
    while part := read(min(_CHUNK, left + 1)):
        left -= len(part)
        if left < 0:
            raise OSError(f"a file is larger than {most:,} bytes")
        if time.monotonic() > until:
            raise TimeoutError(_SLOW)
        parts.append(part)
    return b"".join(parts)
