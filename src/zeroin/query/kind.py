"""The kind of a task, by form and wording; `kinds.toml` holds the words.

What an author labelled (a form, a commit's prefix) outweighs the wording of the title, and the title the body.
"""

import re
from functools import cache

from zeroin.patterns import lazy_pattern
from zeroin.query.names import is_identifier
from zeroin.query.tables import SYNTAX, Table
from zeroin.query.weights import SHORT_QUERY_WORDS
from zeroin.terms import STOPWORDS, WORD
from zeroin.types import Role, TaskKind

WORDING = Table("kinds", re.IGNORECASE)

# Characters that are read of a task, of its title, of its body's wording.
_HEAD_CHARS, _TITLE_CHARS, _BODY_CHARS = 3_000, 300, 600
_MARKS_CHARS = 30  # characters of mark-up that a line may have beside its title
_SHORT_TITLE = 80  # characters; a longer title names tests in passing
_LEAST_WORDS, _CAPITALS = 4, 4  # words, and capitalised words, that make a line a headline
_CHORE = "chore"  # label of commits that leave behaviour as it is

_TICKED = lazy_pattern(r"`[^`]*`")


def kind_of(title: str, text: str, *, traced: bool, failing: bool, roles: frozenset[Role] = frozenset()) -> TaskKind:
    """The kind of a task from its title, the text as written, and whether it holds a stack trace or an error."""
    head = text[: 2 * _HEAD_CHARS].strip()[:_HEAD_CHARS]
    one_line = "\n" not in head and len(head) <= len(title) + _MARKS_CHARS
    title = head if one_line or not title else title
    title = SYNTAX.pattern("marked").sub("", title[:_TITLE_CHARS].partition("\n")[0])
    label = _label(head)
    if traced and label != TaskKind.FEATURE.name:
        return TaskKind.TRACE
    plain = SYNTAX.pattern("scope").sub("", title, count=1)
    if one_line and not label and (found := _of_line(title, plain)):
        return found
    if label and label != _CHORE:
        return TaskKind[label]
    verb = asked_by(plain, search=WORDING.has("broken", plain.partition(" ")[2]))
    found = _of_object(title, plain, verb, roles) or _of_wording(plain, verb, head, failing=failing)
    return TaskKind.REFACTORING if label and found is TaskKind.FEATURE else found


def _label(head: str) -> str:
    """The kind that the author's own tag names: `[Feature]`, `fix(parser): …`, `DOC: …`; "" without a tag."""
    match = _label_pattern().match(head[:120])
    return match.lastgroup or "" if match is not None else ""


@cache
def _label_pattern() -> re.Pattern[str]:
    tables: dict[str, list[str]] = WORDING.data["labels"]
    names = {name if name == _CHORE else name.upper(): "|".join(lines) for name, lines in tables.items()}
    groups = "|".join(f"(?P<{name}>{words})" for name, words in names.items())
    return re.compile(
        rf"^[\W_]{{0,8}}(?:title\W{{1,6}})?(?:[\[(【]\W{{0,3}})?(?:{groups})"
        r"(?:\([^)\n]{0,40}\)|/[\w.-]{1,40})?(?:!?[:：]\s|\s?[\])】]|\s-\s)",
        re.IGNORECASE,
    )


def _of_line(title: str, plain: str) -> TaskKind | None:
    """Return the kind of a task of one line where that is a look-up or a question, else None."""
    words = len(WORD.findall(title))
    if words > 2 * SHORT_QUERY_WORDS:
        return None
    if WORDING.begins("asks", title) and not WORDING.begins("broken", title):
        return TaskKind.QUESTION
    if _is_name(title):
        return TaskKind.SYMBOL
    if words > SHORT_QUERY_WORDS or asked_by(plain, search=True) or _is_report(title, words):
        return None
    return TaskKind.QUESTION


def _is_name(title: str) -> bool:
    """Tell whether a line is only the name of something in code, perhaps with its member."""
    content = [word for word in WORD.findall(title) if word.lower() not in STOPWORDS]
    parts = len(title.split())
    if not 0 < len(content) <= 3 or parts > 2:
        return False
    if parts == 1:
        return title.isascii()
    if asked_by(title, search=False) or WORDING.has("complaint", title):
        return False
    return all(is_identifier(word) or word[:1].isupper() for word in content)


def _is_report(title: str, words: int) -> bool:
    """Whether a line reports something, or is a headline, rather than a phrase that names something to be found."""
    if WORDING.has("broken", title) or (words > 1 and WORDING.has("complaint", title)):
        return True
    if not title.isascii() and WORDING.has("fault", title):
        return True
    if words < _LEAST_WORDS:
        return False
    if "`" in title and len(WORD.findall(_TICKED.sub(" ", title))) >= _LEAST_WORDS:
        return True
    parts = title.split()
    behind = " ".join(parts[_LEAST_WORDS - 1 :])
    capitals = sum(word.istitle() for word in parts)
    return WORDING.has("headline", title) or WORDING.has("condition", behind) or capitals >= _CAPITALS


def _of_object(title: str, plain: str, verb: TaskKind | None, roles: frozenset[Role]) -> TaskKind | None:
    """Return the kind of a title about documents, build and dependencies, or tests."""
    documents = WORDING.has("documents", title) and (verb or Role.DOC in roles)
    if documents or WORDING.has("wording", plain):
        return TaskKind.DOCUMENTATION
    if verb in (TaskKind.DOCUMENTATION, TaskKind.CONFIG):
        return verb
    build = WORDING.has("build", plain) or WORDING.has("build", title)
    if build and (verb or not WORDING.has("fault", plain)):
        return TaskKind.CONFIG
    if verb and len(plain) < _SHORT_TITLE and WORDING.has("tests", plain):
        return TaskKind.BUG if WORDING.has("test_fault", plain) else TaskKind.REFACTORING
    return None


def _of_wording(title: str, verb: TaskKind | None, head: str, *, failing: bool) -> TaskKind:
    """Bug, feature or refactoring, from the title's words; the body's form decides where the title is neutral."""
    asks, reports = _first("feature", head), _first("bug", head)
    if asks >= 0 and not 0 <= reports < asks:
        return TaskKind.FEATURE
    if verb is TaskKind.REFACTORING and not WORDING.has("broken", title.partition(" ")[2]):
        return verb
    if verb is TaskKind.BUG or (verb is TaskKind.FEATURE and not failing):
        return TaskKind.REFACTORING if WORDING.has("upkeep", title) and not failing else verb
    wish, fault = WORDING.pattern("wish").search(title), WORDING.has("fault", title)
    if wish and (wish.start() == 0 or not fault) and not failing:
        return TaskKind.FEATURE
    if WORDING.has("rework", title) and not fault:
        return TaskKind.REFACTORING
    if fault or failing or reports >= 0:
        return TaskKind.BUG
    if wish:
        return TaskKind.FEATURE
    if WORDING.begins("asks", title) and title.rstrip().endswith("?"):
        return TaskKind.QUESTION
    body = head[:_BODY_CHARS]
    return TaskKind.FEATURE if WORDING.has("wish", body) and not WORDING.has("fault", body) else TaskKind.BUG


def _first(form: str, head: str) -> int:
    """Return the position of the first phrase of a kind of issue form, -1 if there is none."""
    lower = head.lower()
    places = (lower.find(phrase) for phrase in WORDING.data["forms"][form])
    return min((place for place in places if place >= 0), default=-1)


def asked_by(title: str, *, search: bool) -> TaskKind | None:
    """Return the kind that the first word of a title without its scope asks for, None if it is no verb of the table.

    In a `search`, a line of a few words, words that are also nouns do not count, nor do gerunds ("sending responses").
    """
    match = SYNTAX.pattern("title_word").match(title)
    kind, noun = _verbs().get(match["word"].lower(), (None, False)) if match else (None, False)
    if kind is None or match is None or not search or _is_order(title, match["next"] or ""):
        return kind
    word = match["word"].lower()
    return None if noun or word.endswith("ing") or word in WORDING.words("adjectives") else kind


def _is_order(title: str, following: str) -> bool:
    """Tell whether a line is a sentence, "Set x on y" or "set the x", and not words to search for."""
    words = title.split()
    sentence = len(words) >= _LEAST_WORDS and words[0].istitle() and not any(w.istitle() for w in words[1:])
    return sentence or following.strip().lower() in WORDING.words("articles")


@cache
def _verbs() -> dict[str, tuple[TaskKind, bool]]:
    """Return every form of the verbs → its kind, and whether the form is a noun too."""
    forms: dict[str, tuple[TaskKind, bool]] = {}
    for name, text in WORDING.data["verbs"].items():
        for verb in text.split():
            inflected, kind = _inflected(verb), TaskKind[name.upper()]
            forms |= dict.fromkeys(inflected, (kind, False)) | {verb: (kind, verb in WORDING.words("nouns"))}
    return forms | dict.fromkeys(("made", "initial", "new"), (TaskKind.FEATURE, False))


def _inflected(verb: str) -> tuple[str, str, str]:
    """Third person, past and gerund of a verb."""
    stem = verb.removesuffix("e") + (verb[-1] if verb in WORDING.words("doubled") else "")
    if verb.endswith("y") and verb[-2] not in "aeo":
        return verb[:-1] + "ies", verb[:-1] + "ied", stem + "ing"
    third = "es" if verb[-1] in "sxz" or verb.endswith(("ch", "sh")) else "s"
    return verb + third, stem + "ed", stem + "ing"
