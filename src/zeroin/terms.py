"""The code-aware analyser: one way from text to terms, used by the index and by queries alike.

A *word* is what a programmer would call one: `getUserById`, `rate_limit`, `HTTP2`. A word yields its
*subwords* (`get`, `user`, `by`, `id`), stemmed with the Snowball English stemmer, and, where it is a
compound, the whole word in lower case without underscores, so that an exact identifier outranks its parts.
Terms are stored as 64-bit ids (BLAKE2b): processes can analyse without sharing a dictionary.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

import Stemmer

from zeroin.patterns import lazy_pattern
from zeroin.types import Keyword, Origin

ANALYSER_VERSION = 1

# A run of letters, digits and underscores; `$` belongs to names in JavaScript and PHP but carries no meaning.
WORD = lazy_pattern(r"[^\W_]\w*|_\w+", re.UNICODE)
_SUBWORD = lazy_pattern(r"[a-z]+|[0-9]+|[A-Z](?:[a-z]+|[A-Z]*(?![a-z]))")
_SUBWORD_UNICODE = lazy_pattern(r"\d+|[^\W\d_]+", re.UNICODE)
_CJK = lazy_pattern(r"[぀-ヿ㐀-鿿]|[가-힯](?=)")  # a set of three ranges takes twice as long to compile

_PIECES = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")  # of a name: `Err`, `SHA`, `512`
_WORD_LETTERS, _NAME_LETTERS = 1.5, 2.7  # letters for each piece, of every word of a name and of the whole
_NAME_NUMBERS, _NAME_DIGITS = 2, 4  # of a name, at most

MAX_WORD_CHARS = 80  # longer runs are data (base64, hashes), not words
_MAX_NUMBER_CHARS = 6
_PIECE = lazy_pattern(r"[!-~]+\Z")
_WORDS_ONLY = bytes(b if chr(b).isalnum() or b == ord("_") else ord(" ") for b in range(128)).ljust(256)
NEWLINE = "\0"  # stands among words for the end of a line
_NOT_ASCII = lazy_pattern(r"[^\x00-\x7f]")
_WORDS_AND_LINES = _WORDS_ONLY[:10] + b"\0" + _WORDS_ONLY[11:]

_stemmer = Stemmer.Stemmer("english", 0)

# English function words and words every issue contains. Dropped from queries only: the index keeps them.
STOPWORDS = frozenset(
    """
    a about above after again all also although always am an and any anything are as at be because been
    before being below between both but by can cannot could did do does doing done down during each
    either else etc even ever every few for from further get gets getting give given go goes going got
    had has have having he hello help her here hers hi him his how however i if in instead into is it
    its itself just know let like likely look looks made make makes making many may maybe me might more
    most much must my need needs never no nor not nothing now of off on once one only or other our out
    over own perhaps please possible probably really same see seem seems she should show since so some
    something still such sure take than thank thanks that the their them then there these they thing
    things think this those though through thus to together too try trying under until up upon us use
    used uses using very via want wanted wants was way we well were what when where whether which while
    who whole whom whose why will with within without would yes yet you your
    """.split()
)

# Words of the request, not of the code: what is to be done, and that something is wrong. They do not locate
# anything, and no codebase has another word for them.
INTENT_WORDS = frozenset(
    """
    add adding allow bad behavior behaviour broken bug bugs change changing correct create crash enhance ensure
    expected explain fail fails failing feature find fix fixes fixing handle implement implementation improve
    improvement incorrect incorrectly introduce investigate issue issues missing need new problem properly
    provide refactor remove rename replace request rewrite support unexpected unintended update wrong
    """.split()
)


def words(text: str) -> Iterator[str]:
    """Yield the words of a text in order, identifiers unsplit."""
    for match in WORD.finditer(text):
        word = match.group()
        if len(word) <= MAX_WORD_CHARS:
            yield word


def count_words(text: str) -> Counter[str]:
    """Count the words of a text, in the order of their first occurrence."""
    if not text.isascii():
        found = Counter(words_and_lines(text))
        found.pop(NEWLINE, None)
        return found
    # Three times as fast as the pattern, and most code is ASCII.
    found = Counter(text.encode().translate(_WORDS_ONLY).decode().split())
    found.pop("_", None)
    return found


def words_and_lines(text: str) -> list[str]:
    """Return the words of a text in order, with `NEWLINE` for each end of a line."""
    out: list[str] = []
    at = 0
    while not text.isascii() and (other := _NOT_ASCII.search(text, at)):  # most lines are ASCII
        start = text.rfind("\n", at, other.start()) + 1 or at
        end = text.find("\n", other.start())
        end = len(text) if end < 0 else end
        out += _ascii_words(text[at:start])
        out += WORD.findall(text, start, end)
        at = end
    return out + _ascii_words(text[at:])


def _ascii_words(text: str) -> list[str]:
    marked = text.encode().translate(_WORDS_AND_LINES).replace(b"\0", b" \0 ").decode()
    words = marked.split()
    return [word for word in words if word != "_"] if "_" in words else words


def split_identifier(word: str) -> list[str]:
    """Return the subwords of an identifier, in lower case: `parseHTTPHeader2` → parse, http, header, 2."""
    parts = (_SUBWORD if word.isascii() else _SUBWORD_UNICODE).findall(word)
    return parts if word.islower() else [part.lower() for part in parts]


def is_spelled(words: Sequence[str]) -> bool:
    """Tell whether words in both cases, with numbers in them, are those of a name: `ErrInvalidSHA512PasswordLength`.

    Random characters change between capitals, small letters and digits twice as often.
    """
    text, pieces = "".join(words), [_PIECES.findall(word) for word in words]
    numbers = [piece for word in pieces for piece in word if piece.isdigit()]
    few = len(numbers) <= _NAME_NUMBERS and all(len(number) <= _NAME_DIGITS for number in numbers)
    both = text.upper() != text and text.lower() != text
    whole = [piece for word in pieces for piece in word]
    return few and both and _letters(whole) >= _NAME_LETTERS and all(_letters(word) >= _WORD_LETTERS for word in pieces)


def _letters(pieces: Sequence[str]) -> float:
    """Return the letters for each piece."""
    return sum(map(str.isalpha, "".join(pieces))) / max(1, len(pieces))


def stem_once(word: str) -> str:
    """Return `stem` of a word, for callers that keep it themselves."""
    return str(_stemmer.stemWord(word)) if word.isascii() else unicodedata.normalize("NFKC", word)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the Snowball English stem of a lower-case word; non-ASCII words are only normalised (NFKC)."""
    return stem_once(word)


def analyse_word(word: str) -> tuple[str, ...]:
    """Return `terms_of_word`, from a cache of recent words."""
    return _kept_terms(word) if len(word) <= MAX_WORD_CHARS else terms_of_word(word)


def terms_of_word(word: str) -> tuple[str, ...]:
    """Return terms of one word: stemmed subwords, then the compound itself if there is more than one.

    Numbers longer than six digits and single letters are dropped from compounds; runs of CJK become bigrams.
    """
    if not word.isascii() and has_bigrams(word):
        return tuple(gram for part in split_identifier(word) for gram in _bigrams(part))
    parts, compound = parts_of_word(word)
    return (*map(stem, parts), compound) if compound else tuple(map(stem, parts))


def has_bigrams(word: str) -> bool:
    """Tell whether a word holds runs of CJK, which no ASCII word does."""
    return _CJK.search(word) is not None


def parts_of_word(word: str) -> tuple[list[str], str]:
    """Return the subwords that count of a word without CJK, not stemmed, and the compound if it is a term, else ""."""
    if word.islower() and word.isalpha() and word.isascii():
        return [word], ""  # the code below gives the same, at four times the cost
    parts = split_identifier(word)
    least = min(len(parts), 2)
    kept = [part for part in parts if len(part) >= least and (len(part) <= _MAX_NUMBER_CHARS or not part.isdigit())]
    compound = word.replace("_", "").lower() if len(parts) > 1 else ""
    return kept, "" if compound in parts else compound


_kept_terms = lru_cache(maxsize=1 << 16)(terms_of_word)  # words recur within a file and between tasks


def _bigrams(run: str) -> Iterable[str]:
    if not _CJK.search(run) or len(run) == 1:
        return (stem(run),)
    return (run[i : i + 2] for i in range(len(run) - 1))


def analyse(text: str) -> list[str]:
    return [term for word in words(text) for term in analyse_word(word)]


# A subword is less specific than its compound: `token` in `TokenManager` is one of two halves.
_SUBWORD_SHARE = 0.7


def weighted_terms(keywords: Iterable[Keyword]) -> dict[str, float]:
    """Return terms of a query with weights; a term of several keywords has the highest of its weights.

    Subwords of a compound weigh 0.7 of the compound. Stop words are dropped unless the caller gave them.
    """
    out: dict[str, float] = {}
    for keyword in keywords:
        for word in words(keyword.text):
            if word.lower() in STOPWORDS and keyword.origin is not Origin.CALLER:
                continue
            terms = analyse_word(word)
            for position, term in enumerate(terms, 1):
                weight = keyword.weight * (1.0 if position == len(terms) else _SUBWORD_SHARE)
                out[term] = max(out.get(term, 0.0), weight)
    return out


def weighted_ids(keywords: Iterable[Keyword]) -> dict[int, float]:
    """Return the ids of `weighted_terms`."""
    return {term_id(term): weight for term, weight in weighted_terms(keywords).items()}


@lru_cache(maxsize=1 << 14)
def term_id(term: str) -> int:
    """Return the 64-bit id of a term or name; the same in every process and on every machine."""
    return int.from_bytes(packed_id(term), "little")


def packed_id(term: str) -> bytes:
    """Return the id of a term as eight bytes, little-endian."""
    return blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def cut(text: str, most: int) -> str:
    """Cut `text` to `most` characters, and leave out a run of visible ASCII characters that the cut would split.

    A piece of a token or a password would no longer be recognised as a secret.
    """
    if len(text) <= most:
        return text
    kept = text[:most]
    return (_PIECE.sub("", kept) if "!" <= text[most] <= "~" else kept).rstrip()


def shortened(text: str, most: int = 70) -> str:
    """Cut a text of more than `most` characters between words."""
    return text if len(text) <= most else cut(text, most - 1) + "…"
