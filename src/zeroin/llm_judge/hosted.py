"""A model behind an API, through pydantic-ai. The one module that imports the extra `zeroin[judge]`.

Its low-level call is used: one request without tools, the schema in the provider's own form. Retries are made here,
since Google's SDK does not honour `Retry-After` and no SDK knows how much time is left.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import wait
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
from anyio.from_thread import start_blocking_portal
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
)
from pydantic_ai.messages import ModelRequest, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from zeroin.context.clean import line as one_line
from zeroin.context.tokens import estimate
from zeroin.errors import JudgeError
from zeroin.llm_judge.contract import Reply, Request

OPENAI = "https://api.openai.com/v1"
OLLAMA = "http://localhost:11434/v1"
AT_ONCE = 4  # concurrent requests
MAX_TOKENS = 8_192  # of a reply, reasoning included: it bounds the cost of a call
_WAITS_S = (0.5, 1.0, 2.0)  # before each retry, unless the provider gives a time
_CONNECT_S = 10.0
# "never": otherwise the library adds text of its own to the system prompt of some models.
_PLAIN = ModelSettings(max_retries=0, framing_announcement="never")
_TICK_S = 0.2  # how fast Ctrl-C is noticed, on Windows, too
_REFUSED = "the key was refused"
_MOST_CHARS = 200  # characters of a provider's message
Came = TypeVar("Came")


class Hosted:
    """A model of a provider; without `url` at the provider's own. May be used from several threads at once."""

    def __init__(self, provider: str, model: str, url: str | None, key: str) -> None:
        self._provider, self._model, self._url, self._key = provider, model, url, key
        self._plain = False  # the server has refused schema, temperature or bound
        self._refused = False  # the key was: it is refused again

    def send(self, asked: Sequence[Request], timeout_s: float) -> list[Reply | JudgeError]:
        """Send requests, up to `AT_ONCE` concurrently; retry each after 408, 409, 429, 5xx or a lost connection.

        Returns a reply or an error for each, in order; no error contains the key. Raises `JudgeError` if none could be
        sent, as after a key was refused.
        """
        if self._refused:
            raise JudgeError(_REFUSED)
        try:
            return _in_own_loop(partial(self._all_sent, asked, timeout_s))
        except Exception as error:  # noqa: BLE001 - the library may raise anything for a malformed reply
            raise JudgeError(self._why(error)) from None

    async def _all_sent(self, asked: Sequence[Request], timeout_s: float) -> list[Reply | JudgeError]:
        limits = httpx2.Timeout(timeout_s, connect=min(timeout_s, _CONNECT_S))
        # A redirect would take the key to another host: Google's header is not dropped on the way.
        async with httpx2.AsyncClient(timeout=limits, follow_redirects=False) as client:
            model, turn = self._built(client), asyncio.Semaphore(AT_ONCE)
            until = asyncio.get_running_loop().time() + timeout_s

            async def came(request: Request) -> Reply | JudgeError:
                try:
                    async with asyncio.timeout_at(until), turn:
                        if self._refused:
                            return JudgeError(_REFUSED)
                        return await self._sent(model, request, until)
                except TimeoutError:
                    return JudgeError(f"{self._provider} did not answer within {round(timeout_s, 1):g} s")
                except ModelAuthenticationError:
                    self._refused = True
                    return JudgeError(_REFUSED)
                except Exception as error:  # noqa: BLE001 - as above
                    return JudgeError(self._why(error))

            return await asyncio.gather(*(came(request) for request in asked))

    async def _sent(self, model: Model[Any], request: Request, until: float) -> Reply:
        said = await self._repeated(model, request, until)
        text = said.text or ""
        sent = said.usage.input_tokens or estimate(request.system) + estimate(request.user)
        return Reply(text, sent, said.usage.output_tokens or estimate(text), _cost(said))

    async def _repeated(self, model: Model[Any], request: Request, until: float) -> ModelResponse:
        clock = asyncio.get_running_loop().time
        for pause in _WAITS_S:
            try:
                return await self._once(model, request)
            except ModelAPIError as error:
                wait_s = pause if error.retry_after is None else error.retry_after
                if not _may_pass(error) or clock() + wait_s >= until:
                    raise
            await asyncio.sleep(wait_s)
        return await self._once(model, request)

    async def _once(self, model: Model[Any], request: Request) -> ModelResponse:
        """Ask with schema, temperature and bound; once the server has refused these, in plain text."""
        asked = ModelRequest.user_text_prompt(request.user, instructions=request.system)
        if not self._plain:
            try:
                settings, schema = _settings(model), _parameters(model, request)
                return await model_request(
                    model, [asked], model_settings=settings, model_request_parameters=schema, instrument=False
                )
            except ModelHTTPError as error:
                if error.status_code not in (400, 422):
                    raise
        settings = _PLAIN.copy()
        if self._provider == "anthropic":  # its API requires a bound
            settings["max_tokens"] = MAX_TOKENS
        said = await model_request(model, [asked], model_settings=settings, instrument=False)
        self._plain = True
        return said

    def _built(self, client: httpx2.AsyncClient) -> Model[Any]:
        """Build the model's adapter; imports only the SDK that it needs."""
        name, key, url = self._model, self._key, self._url
        if self._provider == "anthropic":
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            return AnthropicModel(name, provider=AnthropicProvider(api_key=key, base_url=url, http_client=client))
        if self._provider == "google":
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            # Without a handler, its warning of two keys in the environment would go to standard error.
            if not (log := logging.getLogger("google_genai")).handlers:
                log.addHandler(logging.NullHandler())
            return GoogleModel(name, provider=GoogleProvider(api_key=key, base_url=url, http_client=client))
        if self._provider == "ollama":
            from pydantic_ai.models.ollama import OllamaModel
            from pydantic_ai.providers.ollama import OllamaProvider

            local = OllamaProvider(base_url=url or OLLAMA, api_key=key, http_client=client)
            return OllamaModel(name, provider=local)
        if url is not None:  # compatible servers speak OpenAI's older protocol
            from pydantic_ai.models.openai import OpenAIChatModel
            from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

            server = OpenAICompatibleProvider("openai-compatible", base_url=url, api_key=key, http_client=client)
            return OpenAIChatModel(name, provider=server)
        from pydantic_ai.models.openai import OpenAIResponsesModel, OpenAIResponsesModelSettings
        from pydantic_ai.providers.openai import OpenAIProvider

        provider = OpenAIProvider(base_url=OPENAI, api_key=key, http_client=client)
        return OpenAIResponsesModel(name, provider=provider, settings=OpenAIResponsesModelSettings(openai_store=False))

    def _why(self, error: Exception) -> str:
        """Say in one line why there is no reply; the caller names the model."""
        if isinstance(error, ModelHTTPError):
            wait_s = error.retry_after
            asked = "" if wait_s is None else f" (asked to wait {wait_s:g} s)"
            text = f"status {error.status_code}{asked}: {_message(error.body)}"
        elif isinstance(error, ModelConnectionError):
            host = urlsplit(self._url or "").netloc.rpartition("@")[2] or self._provider
            cause: BaseException = error
            while cause.__cause__ is not None:
                cause = cause.__cause__
            text = f"no connection to {host}: {cause}"
        elif isinstance(error, (AttributeError, LookupError, TypeError)):
            text = f"the reply is not of its protocol ({type(error).__name__})"
        else:
            text = str(error) or type(error).__name__
        text = text.replace(self._key, "[key]") if self._key else text
        return one_line(text)[:_MOST_CHARS]


def _settings(model: Model[Any]) -> ModelSettings:
    """Return the bound of a reply, and temperature 0 unless the model refuses it."""
    fixed = ("openai_supports_reasoning", "anthropic_disallows_sampling_settings", "thinking_always_enabled")
    profile: Mapping[str, object] = model.profile
    settings = ModelSettings(**_PLAIN, max_tokens=MAX_TOKENS)
    if not any(profile.get(flag) for flag in fixed):
        settings["temperature"] = 0.0
    return settings


def _parameters(model: Model[Any], request: Request) -> ModelRequestParameters:
    """Return the schema in the provider's own form; none where the model takes none, since the prompt has it, too."""
    if not model.profile.get("supports_json_schema_output"):
        return ModelRequestParameters()
    schema = OutputObjectDefinition(json_schema=request.schema, name=request.asking, strict=True)
    return ModelRequestParameters(output_mode="native", output_object=schema)


def _may_pass(error: ModelAPIError) -> bool:
    """Whether the same request may succeed later."""
    if isinstance(error, ModelHTTPError):
        passing = error.status_code in (408, 409, 429) or error.status_code >= 500
        return passing and not isinstance(error, ModelQuotaExceededError)
    return isinstance(error, ModelConnectionError)


def _message(body: object) -> str:
    """Return the message in the body of an error, which each provider nests differently."""
    while isinstance(body, Mapping):
        body = body.get("error") or body.get("message") or body.get("detail") or ""
    return str(body or "")


def _cost(said: ModelResponse) -> float | None:
    try:
        return float(said.cost().total_price)
    except (LookupError, ValueError):  # the price or the usage is unknown
        return None


def _in_own_loop(work: Callable[[], Awaitable[Came]]) -> Came:
    """Run `work` in a thread with its own event loop, since the caller's thread may already run one.

    The caller polls, so that Ctrl-C reaches it; the requests are cancelled then.
    """
    with start_blocking_portal() as portal:
        done = portal.start_task_soon(work)
        try:
            while not done.done():
                wait([done], timeout=_TICK_S)
            return done.result()
        finally:
            done.cancel()
