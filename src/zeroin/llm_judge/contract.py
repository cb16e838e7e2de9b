"""What a language model is asked and what it may answer: the contract between this room and the providers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol

import msgspec

from zeroin.context.clean import line as one_line
from zeroin.errors import JudgeError

PROMPT_VERSION = 2
GRADES = range(4)
Asking = Literal["evaluate", "plan", "verify"]  # what one call asks for; words for `refine` come with grades
MAX_REASON_CHARS, MAX_WORD_CHARS, MAX_QUESTION_CHARS = 200, 60, 120
MAX_WORDS, MAX_MISSING, MAX_QUESTIONS = 8, 4, 4
_MAX_SPANS = 4  # of one file
MAX_REPLY_CHARS = 1 << 20  # a longer one takes too long to parse


@dataclass(frozen=True, slots=True)
class Shown:
    """A file as the model sees it: its `number` in request and reply, and the numbers of the lines shown, `rows`."""

    number: int
    path: str
    rows: frozenset[int]


@dataclass(frozen=True, slots=True)
class Request:
    """One call: instructions and data. Requests for the same thing have the same `key`."""

    system: str
    user: str
    files: tuple[Shown, ...]
    key: str
    tokens: int  # estimate of what is sent
    asking: Asking = "evaluate"

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the reply, without `$ref`."""
        return SCHEMAS[self.asking]


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply: its JSON text and what it took. `cost` is in US dollars, None where the price is not known."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


class Model(Protocol):
    """A language model that can be asked."""

    @property
    def name(self) -> str:
        """Provider and model, as the user gave them."""

    @property
    def cache_name(self) -> str:
        """The model with its address, as the key of the cache; "" where replies are not cached."""

    def ask(self, requests: Sequence[Request], timeout_s: float, /) -> Sequence[Reply | JudgeError]:
        """Return the reply to each request, valid or not, or its error, in order; requests may run concurrently.

        Raises `JudgeError` where no request could be sent.
        """


@dataclass(frozen=True, slots=True)
class Grade:
    """A file's grade by the rubric (0–3), with the model's reason."""

    path: str
    grade: int
    reason: str = ""
    spans: tuple[tuple[int, int], ...] = ()  # first and last line, both shown to the model
    missing: tuple[str, ...] = ()  # names that the file needs and that are not in it


@dataclass(frozen=True, slots=True)
class Verdict:
    """A valid reply: to "evaluate", grades in the order of the request, and the codebase's words for the task.

    To "plan": words and questions. To "verify": whether the files suffice, and what they lack.
    """

    grades: tuple[Grade, ...] = ()
    words: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    sufficient: bool = True
    missing: tuple[str, ...] = ()


class _File(msgspec.Struct):
    id: int
    grade: Annotated[int, msgspec.Meta(ge=0, le=3)]
    reason: str = ""
    lines: list[list[int]] = msgspec.field(default_factory=list)
    missing: list[str] = msgspec.field(default_factory=list)


class _Answer(msgspec.Struct):
    files: list[_File]
    words: list[str] = msgspec.field(default_factory=list)


class _Plan(msgspec.Struct):
    words: list[str]
    questions: list[str] = msgspec.field(default_factory=list)


class _Check(msgspec.Struct):
    sufficient: bool
    missing: list[str] = msgspec.field(default_factory=list)


# Not generated: providers accept only a subset of JSON Schema (no references, no tuples, nothing optional).
_WORDS = "identifiers or words by which this code base calls what the task speaks of"


def _list(description: str, items: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "array", "description": description, "items": items or {"type": "string"}}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


SCHEMAS: dict[Asking, dict[str, Any]] = {
    "evaluate": _object(
        files={
            "type": "array",
            "items": _object(
                id={"type": "integer", "description": "number of the file in the request"},
                grade={"type": "integer", "enum": list(GRADES)},
                reason={"type": "string", "description": "one short sentence"},
                lines=_list(
                    "pairs of first and last line that prove the grade", {"type": "array", "items": {"type": "integer"}}
                ),
                missing=_list("names of code that this file needs for the task and that is not shown"),
            ),
        },
        words=_list(_WORDS),
    ),
    "plan": _object(
        words=_list("identifiers that code which does this is likely to contain"),
        questions=_list("what else must be found, a few words each"),
    ),
    "verify": _object(
        sufficient={"type": "boolean"}, missing=_list("names of code that the task needs and that is not shown")
    ),
}


def parse(text: str, request: Request) -> Verdict:
    """Return a reply as a verdict. Raises `JudgeError` where it does not answer the request.

    Files that were not asked about, second grades of a file and lines that were not shown are left out. A reply that
    grades fewer than half of the files is refused.
    """
    if len(text) > MAX_REPLY_CHARS:
        raise JudgeError("the model's reply is longer than 1 MB")
    try:
        return _verdict(_json_of(text), request)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise JudgeError(f"the model's reply cannot be used: {error}") from None


def _verdict(text: bytes, request: Request) -> Verdict:
    if request.asking == "plan":
        plan = msgspec.json.decode(text, type=_Plan)
        questions = _names(plan.questions, MAX_QUESTIONS, MAX_QUESTION_CHARS)
        return Verdict(words=_names(plan.words, MAX_WORDS), questions=questions)
    if request.asking == "verify":
        check = msgspec.json.decode(text, type=_Check)
        return Verdict(sufficient=check.sufficient, missing=_names(check.missing, MAX_MISSING))
    answer = msgspec.json.decode(text, type=_Answer)
    given: dict[int, _File] = {}
    for file in answer.files:
        given.setdefault(file.id, file)
    grades = tuple(_grade(shown, given[shown.number]) for shown in request.files if shown.number in given)
    if 2 * len(grades) < len(request.files):
        raise JudgeError(f"the model graded {len(grades)} of {len(request.files)} files")
    return Verdict(grades, _names(answer.words, MAX_WORDS))


def _grade(shown: Shown, file: _File) -> Grade:
    pairs = [(span[0], span[1]) for span in file.lines if len(span) == 2 and shown.rows.issuperset(span)]
    spans = tuple((first, last) for first, last in pairs if first <= last)[:_MAX_SPANS]
    reason = one_line(file.reason)[:MAX_REASON_CHARS].strip()
    return Grade(shown.path, file.grade, reason, spans, _names(file.missing, MAX_MISSING))


def _names(given: Sequence[str], most: int, longest: int = MAX_WORD_CHARS) -> tuple[str, ...]:
    """Return at most `most` names without duplicates; those of one character or over `longest` are left out."""
    clean = (one_line(name).strip() for name in given)
    return tuple(dict.fromkeys(name for name in clean if 1 < len(name) <= longest))[:most]


def _json_of(text: str) -> bytes:
    """Return the JSON object in a reply, which some models put between fences or after a sentence."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1].encode("utf-8", "replace") if 0 <= start < end else b""
