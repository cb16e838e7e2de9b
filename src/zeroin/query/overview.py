"""Whether a task asks for the whole of a codebase, an overview, rather than for a part of it or for a change."""

from __future__ import annotations

import re

_MOST_CHARS = 200  # of a line that asks for an overview

_CODE = (
    r"(?:code ?base|code|project|repo(?:sitory)?|sources?|source code|app(?:lication)?|library|framework|program|"
    r"system|software|package|thing|tree)"
)
_THE_CODE = rf"(?:(?:the|this|that|your|its|our|my|whole|entire|complete|overall) ){{0,3}}{_CODE}(?:'s)?"
_PARTS = (
    r"(?:(?:main|major|key|core|important|central|different|various|individual|top[- ]level|all|the|these|its) ){0,3}"
    r"(?:parts?|components?|modules?|pieces?|packages?|crates?|layers?|sub-?systems?|files?|folders?|directories|"
    r"building blocks|entry ?points?|concepts|abstractions)"
)
_ORGANISED = (
    r"(?:organi[sz]ed|structured|laid out|built|built up|put together|designed|arranged|divided|split up|set up|"
    r"architected)"
)
# What may follow "I am new here" and still be about the whole.
_BEGINNING = (
    r"(?:\W+(?:where|how) (?:do|should|can|would|could) (?:i|we) (?:best )?(?:start|begin|get started).{0,60}|"
    r"\W+(?:which|what) files? .{0,60})?"
)
_LOOK = r"(?:read(?:ing)?|look(?:ing)?|explor(?:e|ing)|learn(?:ing)?|in|here|with|from|first|at|to|understand(?:ing)?)"

# What a line may say of the whole, whatever its form: these words stand in questions about it.
_WORDS = (
    rf"architecture|architectural|overview|high[- ]level|big picture|"
    rf"(?:overall |code ?base |repo(?:sitory)? |project |code |source |folder |directory |package |module )"
    rf"(?:structure|layout|organi[sz]ation|design|tour|map)|structure of {_THE_CODE}|"
    rf"how (?:is|are|was) {_THE_CODE} {_ORGANISED}|(?:main|major|key|core) components|"
    rf"how (?:do|does|are) (?:all )?{_PARTS}(?: of {_THE_CODE})? (?:fit|work|hang|go|play|come|belong|connect(?:ed)?|"
    rf"relate(?:d)?|interact|tie(?:d)?|talk)|how (?:does )?(?:everything|it all|this all|all of this|it) "
    rf"(?:fits?|works?|hangs?|goes|comes?) together|架构|Architektur|architettura|arquitectura"
)
# Lines that ask for the whole by their form, also where their first word is that of an order.
_FORMS = (
    rf"(?:please )?(?:can you |could you )?(?:give(?: me| us)?|(?:show|get|draw|write|tell) (?:me|us)(?: about)?) "
    rf"(?:an?|the|some)? ?(?:quick |short |brief |rough |general |high[- ]level |code |architecture |project )*"
    rf"(?:overview|tour|map|summary|outline|introduction|intro|big picture|walk-?through)\b.*|"
    rf"(?:please )?(?:walk|guide|take|lead) me through {_THE_CODE}|"
    rf"(?:where|how) (?:do|should|can|would|could|to|must|does|is)(?: (?:i|we|you|one|a newcomer|a beginner|somebody|"
    rf"someone(?: new)?|new contributors?|a new contributor))? (?:best )?(?:start|begin|get started)"
    rf"(?: {_LOOK})*(?: (?:{_THE_CODE}|contributing|it))?|"
    rf"(?:which|what) files? (?:do|should|must|would|to) ?(?:i|we|one)? ?read (?:first|to start(?: with)?)|"
    rf"what (?:does|is) {_THE_CODE}(?: do| about| made of| for)?|how (?:does|do) {_THE_CODE} work|"
    rf"what (?:are|is) {_PARTS}(?: (?:of|in|here|there)(?: {_THE_CODE})?)?|"
    rf"(?:please )?(?:explain|describe|understand|explore|summari[sz]e|outline|map(?: out)?|introduce(?: me to)?) "
    rf"{_THE_CODE}|(?:i am|i'm|im) new (?:here|to {_THE_CODE}|to this){_BEGINNING}|"
    rf"(?:a )?(?:guided )?tour(?: of {_THE_CODE})?|"
    # German, French, Spanish, Chinese
    rf".*\büberblick\b.*|wie (?:ist|sind) (?:das|die|dieses|diese|der|dieser) [\w-]+ (?:aufgebaut|organisiert|"
    rf"strukturiert)|wo (?:fange|soll|beginne) ich .*(?:an|anfangen|beginnen|lesen)|.*\bwie .*zusammen(?:hängen|hängt|"
    rf"spielen|arbeiten|passen)\b.*|.*\bwie (?:hängen|hängt|spielen|arbeiten|passen)\b.*\bzusammen\b.*|"
    rf".*\bvue d'ensemble\b.*|.*\baperçu (?:du|de la|général|de l').*|"
    rf"comment .*\borganisée?\b.*|.*\bvisión general\b.*|.*\bcómo está organizad[oa]\b.*|.*(?:概览|总体结构|代码结构|"
    rf"项目结构|整体结构|从哪里开始|从哪儿开始).*"
)
_SAYS = re.compile(rf"\b(?:{_WORDS})\b|架构", re.IGNORECASE)
_ASKS = re.compile(rf"\W*(?:(?:hi|hello|hey|so|ok|okay|and)\b\W*)?(?:{_FORMS})\W*", re.IGNORECASE)


def mentions_overview(title: str) -> bool:
    """Whether a question speaks of the whole; of an order this says nothing ("document the architecture")."""
    return _SAYS.search(title[:_MOST_CHARS]) is not None


def asks_overview(text: str) -> bool:
    """Whether a text is nothing but a line that asks for the whole, whatever kind of sentence it is."""
    line = " ".join(text.split())
    return len(line) <= _MOST_CHARS and _ASKS.fullmatch(line) is not None


def text_beside_overview(text: str) -> str:
    """What a text says beside that it asks for the whole: what may name a part."""
    line = " ".join(text[: 2 * _MOST_CHARS].split())
    return "" if asks_overview(line) and not _NAMES_MORE.search(line) else _SAYS.sub(" ", line)


# Forms that may go on: "an overview of the parser" names a part.
_NAMES_MORE = re.compile(r"\b(?:of|about|for|over|through|über|du|de la|de l|de)\b", re.IGNORECASE)
