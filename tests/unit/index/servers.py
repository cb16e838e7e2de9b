"""Web servers of files: a good one, and those that a place of shared facts may turn out to be."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def served(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Guarded(Quiet):
    """Serves files to one user."""

    def do_GET(self) -> None:
        if self.headers["Authorization"] != "Basic YWRhOnNlY3JldA==":
            self.send_error(401)
        else:
            super().do_GET()


class Strange(BaseHTTPRequestHandler):
    """Answers every request in one of its ways."""

    def __init__(self, *args: object, how: str, to: str = "", **more: object) -> None:
        self.how, self.to = how, to
        super().__init__(*args, **more)  # type: ignore[arg-type]

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.how == "redirects":
            self.send_response(302)
            self.send_header("Location", self.to + self.path)
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Length", {"promises 10 GB": "10000000000", "stops": "1000"}.get(self.how, "60"))
        self.end_headers()
        part = bytes(1_000_000 if self.how == "promises 10 GB" else 1)
        for _ in range(200):
            try:
                self.wfile.write(part)
            except OSError:
                return
            if self.how == "stops":
                return
            if self.how == "drips":
                time.sleep(0.2)
            elif self.how == "hangs":
                time.sleep(5)
