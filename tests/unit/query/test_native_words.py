"""A codebase that is named in its authors' language is asked in that language."""

from pathlib import Path

import pytest

from tests.repositories import repository
from zeroin import open_session
from zeroin.query.native_words import native_words

GERMAN = {
    "src/rechnung.py": 'class Rechnung:\n    """Eine Rechnung."""\n\n    def berechne_summe(self, posten):\n'
    "        return sum(p.preis for p in posten)\n",
    "src/kunde.py": 'class Kunde:\n    """Ein Kunde."""\n\n    def aendere_anschrift(self, anschrift):\n'
    "        self.anschrift = anschrift\n",
    "src/lager.py": "class Lager:\n    def bestand(self, artikel):\n        return self.mengen[artikel]\n",
} | {f"src/teil{n}.py": f"def teil{n}(wert):\n    return wert + {n}\n" for n in range(12)}
ENGLISH = ("archive", "invoice", "customer", "stock", "rates", "parser", "person", "retry", "queue", "socket")


@pytest.mark.parametrize(
    ("task", "path", "searched"),
    [
        ("Wo wird der Bestand im Lager geprüft?", "src/lager.py", "bestand, lager, check"),
        ("Die Rechnung zeigt die falsche Summe", "src/rechnung.py", "rechnung, wrong, summe"),
        ("Die Rechnungen werden nicht gespeichert, wenn der Betrag fehlt", "src/rechnung.py", "rechnung, "),
    ],
)
def test_words_of_the_code_are_searched_as_they_are(tmp_path: Path, task: str, path: str, searched: str) -> None:
    context = open_session(task, repository(tmp_path, GERMAN), jobs=1).run()
    assert context.files[0].path == path
    assert any(f"is in German; searched for {searched}" in note for note in context.warnings)


@pytest.mark.parametrize("task", ["El archivo de la persona se borra", "Die Rate der Person fehlt", "Fix the archive"])
def test_words_that_another_language_has_too_are_translated(task: str) -> None:
    assert native_words(task, lambda: [*ENGLISH, *(f"name{n}" for n in range(60))]) == ()


def test_of_a_codebase_in_the_language_what_it_says_in_english_is_translated() -> None:
    names = ("lager", "bestand", "kunde")
    task = "Wo wird der Bestand geprüft?"
    assert native_words(task, lambda: names) == (("bestand", "bestand"),)
    assert native_words(task, lambda: (*names, "stock")) == ()
