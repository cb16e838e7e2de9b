"""A real HTTP server that speaks the protocols of OpenAI (both), Anthropic and Google, and does what a test says."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

ADDRESSES = ("OPENAI_BASE_URL", "OLLAMA_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL")
TOKENS = (321, 45)  # what every reply says it took, in and out


@dataclass(frozen=True)
class Act:
    """What the server does with one request: says `text`, or an error of `status`, after `wait_s`."""

    text: str | Callable[["Asked"], str] = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    body: bytes | None = None  # instead of what the protocol prescribes
    cut: int = 0  # bytes that are announced and never sent


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    path: str
    headers: dict[str, str]  # names in small letters
    body: dict[str, Any]

    @property
    def text(self) -> str:
        return json.dumps(self.body)


class Server:
    """Answers requests by its acts in turn, the last one again and again. A context manager."""

    def __init__(self, *acts: Act) -> None:
        self.acts, self.asked = list(acts), list[Asked]()
        self._now = self.most_at_once = 0
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def addresses(self) -> dict[str, str]:
        """Variables of the environment that lead here."""
        return {name: self.url + ("/v1" if name[0] == "O" else "") for name in ADDRESSES}

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def _act(self, asked: Asked) -> Act:
        with self._lock:
            act = self.acts[min(len(self.asked), len(self.acts) - 1)]
            self.asked.append(asked)
            return act

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        with self._lock:
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        yield
        with self._lock:
            self._now -= 1

    def _handler(server) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - `self` is the handler's
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                given = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                names = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(self.path, names, json.loads(given))
                act = server._act(asked)
                with server._under_way():
                    time.sleep(act.wait_s)
                    text = act.text if isinstance(act.text, str) else act.text(asked)
                said = _error(act, self.path) if act.status >= 300 else _reply(text, self.path)
                body = json.dumps(said).encode() if act.body is None else act.body
                try:
                    self.send_response(act.status)
                    for name, value in {"Content-Type": "application/json", **act.headers}.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body[: len(body) - act.cut])
                except OSError:
                    pass  # the client left
                self.close_connection = self.close_connection or bool(act.cut)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _error(act: Act, path: str) -> dict[str, Any]:
    if "generateContent" in path:
        return {"error": {"code": act.status, "message": act.text, "status": "FAILED"}}
    if path.endswith("/messages"):
        return {"type": "error", "error": {"type": "api_error", "message": act.text}}
    return {"error": {"message": act.text, "type": "server_error", "code": None, "param": None}}


def _reply(text: str, path: str) -> dict[str, Any]:
    sent, received = TOKENS
    if path.endswith("/chat/completions"):
        return {
            "id": "c1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": "small",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received},
        }
    if path.endswith("/responses"):
        part = {"type": "output_text", "text": text, "annotations": []}
        message = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}
        return {
            "id": "r1",
            "object": "response",
            "created_at": 1_700_000_000,
            "model": "gpt-4o",
            "status": "completed",
            "output": [message],
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": sent,
                "output_tokens": received,
                "total_tokens": sent + received,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens_details": {"reasoning_tokens": 0},
            },
        }
    if path.endswith("/messages"):
        return {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-6",
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": sent, "output_tokens": received},
        }
    return {
        "candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [{"text": text}]}}],
        "modelVersion": "gemini-2.5-flash",
        "usageMetadata": {
            "promptTokenCount": sent,
            "candidatesTokenCount": received,
            "totalTokenCount": sent + received,
        },
    }
