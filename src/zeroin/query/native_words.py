"""Words of a task in another language that are not translated, because names in the codebase are in that language.

Some code is named in its authors' language (`class Rechnung`). There a word of the task is matched untranslated, by its
stem in that language, unless the code also has an English word for it. A codebase uses a language if enough of its
names are in the dictionary: 5 to 16 % in French and German codebases, at most 3 % in English ones (benchmarks/NOTES.md,
2026-11-27).
"""

from collections.abc import Callable, Iterable

from zeroin.query.translation import NativeWords, dictionary_of, language_of, meanings_of, translatable
from zeroin.terms import stem

_LEAST = 4  # letters of a name
_SHARE, _FEW = 0.04, 2  # names in the dictionary, at least: as a share of all names, and their number

Names = Callable[[], Iterable[str]]


def native_words(text: str, names: Names) -> NativeWords:
    """Return the words of a task that are among `names()` while their English words are not; sorted.

    `names` returns the words by which a codebase names things. Empty for a task in English or in a language without
    stems, and for a codebase that does not use the language.
    """
    language = language_of(text)
    asked = sorted(translatable(text, language)) if language is not None else []
    if language is None or not asked:
        return ()
    dictionary = dictionary_of(language)
    english = {stem(word) for meanings in dictionary.entries.values() for word in meanings}
    distinct = set(names())
    said = sorted(distinct, key=lambda name: (len(name), name))
    # The code's form of a word: the task's own where the code has that, else the shortest that is no English word.
    by_key = {dictionary.key(word): word for word in asked if word in distinct}
    spoken = 0
    for name in said:
        if len(name) >= _LEAST and stem(name) not in english:
            key = dictionary.key(name)
            spoken += bool(dictionary.entries.get(key))
            by_key.setdefault(key, name)
    if spoken < max(_FEW, _SHARE * len(said)):
        return ()
    stems = set(map(stem, said))
    foreign = [word for word in asked if stems.isdisjoint(map(stem, meanings_of(word, language)))]
    return tuple((word, by_key[key]) for word in foreign if (key := dictionary.key(word)) in by_key)
