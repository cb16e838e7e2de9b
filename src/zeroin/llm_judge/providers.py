"""Turn a name that the user gave, `PROVIDER:MODEL` or `command:PROGRAM ARGS…`, into a model that can be asked.

Keys and endpoints come from the environment of the process alone. `hosted` imports the extra `zeroin[judge]`, and is
imported when a model is first asked.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.util import find_spec
from urllib.parse import urlsplit

from zeroin.config import HOST
from zeroin.context.clean import line as one_line
from zeroin.errors import JudgeError, OptionError
from zeroin.llm_judge.command import command_of, run
from zeroin.llm_judge.contract import Model, Reply, Request

Came = Reply | JudgeError
# Requests and seconds → the reply to each request, valid or not, or its error.
Send = Callable[[Sequence[Request], float], Sequence[Came]]

_INSTALL = "pip install 'zeroin[judge]'"

# By provider: its package, and the environment variables for its key and its address.
_PROVIDERS = {
    "openai": ("openai", ("OPENAI_API_KEY",), "OPENAI_BASE_URL"),
    "anthropic": ("anthropic", ("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL"),
    "google": ("google.genai", ("GOOGLE_API_KEY", "GEMINI_API_KEY"), "GOOGLE_GEMINI_BASE_URL"),
    "ollama": ("openai", ("OLLAMA_API_KEY",), "OLLAMA_BASE_URL"),
}


@dataclass(frozen=True, slots=True)
class Named:
    """A model that requests are sent to."""

    name: str
    ask: Send
    cache_name: str = ""


@dataclass(slots=True)
class Recorder:
    """A model that answers nothing and records the first requests: later ones would depend on its replies."""

    name: str
    requests: list[Request] = field(default_factory=list)
    cache_name: str = ""

    def ask(self, requests: Sequence[Request], timeout_s: float) -> Sequence[Came]:
        self.requests = self.requests or list(requests)
        return [JudgeError("nothing was sent: this is a dry run")] * len(requests)


def in_turn(ask: Callable[[Request, float], Reply]) -> Send:
    """Return a `Send` that asks for one reply after another within the seconds for all; `ask` raises `JudgeError`."""

    def send(asked: Sequence[Request], timeout_s: float) -> list[Came]:
        until, came = time.monotonic() + timeout_s, list[Came]()
        for request in asked:
            try:
                came.append(ask(request, until - time.monotonic()))
            except JudgeError as error:
                came.append(error)
        return came

    return send


def model_of(name: str) -> Model:
    """Return the model that a user names. Raises `OptionError` where there is none or what it needs is missing."""
    provider, _, model = name.partition(":")
    if name == HOST:  # the MCP server replaces it with the host's model, if there is one
        return Named(name, _nobody)
    if provider == "command":
        # No cache: a program may change under the same name.
        return Named(name, in_turn(partial(run, command_of(model))))
    if provider not in _PROVIDERS or not model.strip():
        known = ", ".join(f"{known}:MODEL" for known in _PROVIDERS)
        said = f"no model is named {one_line(name)[:80]!r}"
        raise OptionError(f"{said}: give {known}, command:PROGRAM or {HOST}")
    address = os.environ.get(_PROVIDERS[provider][2], "").strip()
    return Named(name, _hosted(provider, model.strip()), f"{name} {address}".strip())


def _nobody(asked: Sequence[Request], timeout_s: float) -> Sequence[Came]:
    raise JudgeError("there is no host that lends its model (sampling over MCP)")


def _hosted(provider: str, model: str) -> Send:
    """Return a `Send` that imports the library with the first request: replies from the cache need no library."""
    package, keys, variable = _PROVIDERS[provider]
    if not _is_installed("pydantic_ai") or not _is_installed(package):
        raise OptionError(f"{provider}:{model} needs an extra: {_INSTALL}")
    url = os.environ.get(variable, "").strip() or None
    if url and not _is_address(url):
        raise OptionError(f"{variable} is no address: it starts with http:// or https:// and names a host")
    held = next((key for key in keys if os.environ.get(key, "").strip()), None)
    own = provider == "ollama" or (provider == "openai" and url)  # a server of the user's own may need no key
    if held is None and not own:
        raise OptionError(f"{provider}:{model} needs a key in {keys[0]}")
    secret = os.environ[held].strip() if held else ""
    if not all("!" <= character <= "~" for character in secret):
        raise OptionError(f"{held} is no key: it holds blanks or characters beyond ASCII")

    @cache
    def hosted() -> Send:
        try:
            from zeroin.llm_judge.hosted import Hosted
        except ImportError as error:
            raise JudgeError(f"{error.name or error} cannot be imported: {_INSTALL}") from None
        return Hosted(provider, model, url, secret).send

    def send(asked: Sequence[Request], timeout_s: float) -> Sequence[Came]:
        until = time.monotonic() + timeout_s
        return hosted()(asked, max(0.0, until - time.monotonic()))

    return send


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an invalid IPv6 address or port
        return False


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the package that holds it is missing
        return False
