"""Text that addresses its reader, a language model above all, instead of describing the code."""

import heapq
import re
from collections.abc import Iterable, Iterator

from zeroin.patterns import lazy_pattern

_AROUND = 160  # characters before and after a word that are searched
_MOST_WORDS = 1_000  # occurrences of each word in a text that are searched around

# Phrases are searched for around these words only. A blank in a phrase matches whatever may separate two words: line
# breaks, comment marks, underscores of a name.
_WORDS = (
    "instruction,prompt,guideline,guardrail,directive,rubric,assistant,agent,llm,language model, ai,claude,"
    "chatgpt,copilot,this file,this document,this module,the user,you are now,<|,inst],<sys>,"
    "tool_,function_,system-rem,invoke name"
).split(",")
_DROP = "(?:ignore|disregard|forget|override|bypass)"
_RULES = "(?:instructions?|prompts?|guidelines|guardrails|directives|rubrics?)"
_READER = "(?:(?:ai|llm|coding|language model) (?:agent|assistant|model|reviewer)s?|ai|llms?|claude|chatgpt|copilot)"
_A_FEW = r"(?:[^\W_]{1,12} ){0,5}"
_PHRASES = (
    rf"\b{_DROP} {_A_FEW}(?:previous|prior|above|earlier|preceding|foregoing|system|safety) {_A_FEW}{_RULES}\b",
    rf"\b{_DROP} (?:all|any|your|every) {_A_FEW}(?:instructions|guidelines|guardrails|rubrics?)\b",
    r"\b(?:note|attention|message|notice|instructions?|important|reminder) (?:to|for) (?:(?:all|any|the|every) )?"
    rf"{_READER}\b",
    rf"\b{_READER} (?:reading|who reads?|that reads?) ",
    rf"\b(?:if|as) (?:you are )?(?:an? )?{_READER} (?:you|reading)\b",
    rf"\byou are now (?:in {_A_FEW}mode|dan|an? (?:unrestricted|jailbroken|{_READER}))\b",
    rf"\bthis (?:file|document|module) {_A_FEW}(?:every|any|all) (?:tasks?|quer(?:y|ies)|prompts?)\b",
    r"\b(?:rank|rate|grade|score|select|choose|pick) (?:only )?this (?:file|document|module) "
    r"(?:first|highest|only|with|as|at|above|\d)",
    rf"\b(?:do not|don't|never) (?:tell|inform|(?:reveal|mention|show) {_A_FEW}to) the user\b",
    r"<\|(?:im_start|im_end|system|user|assistant|eot_id|begin_of_text|start_header_id)\|>|(?-i:\[/?INST\])|<</?SYS>>",
    r"</?(?:tool_(?:call|use|result)|function_(?:call|result)s?|system-reminder)>|<(?:antml:)?invoke name=",
)
SPEECH = lazy_pattern("|".join(_PHRASES).replace(" ", r"[\W_]{1,24}+"), re.IGNORECASE)


def spoken(text: str) -> Iterator[re.Match[str]]:
    """Yield the phrases by which a text addresses its reader."""
    low = text.replace("\u0130", "i").lower()  # offsets stay those of the text
    for begin, end in _around(heapq.merge(*(_places_of(word, low) for word in _WORDS))):
        yield from SPEECH.finditer(text, begin, end)


def _around(places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the stretches around ascending places of a text; overlapping ones are joined."""
    begin = end = 0
    for at in places:
        if at - _AROUND > end:
            yield begin, end
            begin = at - _AROUND
        end = at + _AROUND
    yield begin, end


def _places_of(word: str, text: str) -> Iterator[int]:
    at = -1
    for _ in range(_MOST_WORDS):
        at = text.find(word, at + 1)
        if at < 0:
            return
        yield at
