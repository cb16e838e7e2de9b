"""Tasks in other languages: English words, and the words of a codebase that is named in that language."""

from collections import Counter
from importlib import resources
from pathlib import Path

import pytest

from tests.repositories import repository
from zeroin import open_session
from zeroin.query.native_words import native_words
from zeroin.query.translation import LANGUAGES, language_of, translated
from zeroin.terms import WORD


@pytest.mark.parametrize(
    ("task", "language", "words"),
    [
        ("Wo wird geprüft, ob das Passwort abgelaufen ist?", "German", "where check password expire"),
        ("Die Umgebungsvariable wird beim Start nicht gelesen", "German", "environment variable start read"),
        ("Où la limite de débit est-elle vérifiée ?", "French", "where limit check"),
        ("Ou est-ce que le fichier de configuration est charge ?", "French", "file config load"),
        ("El archivo se borra dos veces y luego falla", "Spanish", "file delete fails"),
        ("O arquivo não é salvo quando a conexão cai", "Portuguese", "file saved when connection"),
        ("Die Markierung springt hinter dem Ende auf den Vorgänger", "German", "selection jump past end parent"),
        ("Le disque est démonté mais la veille revient subitement", "French", "unmount suspend return sudden"),
        ("La ventana se queda atascada y no reaparece hasta la medianoche", "Spanish", "stuck reappear midnight"),
        # A word that English has, too, tells neither language; a title need have one function word.
        ("No se puede guardar el archivo a tiempo", "Spanish", "file save"),
        ("La sesión no expira", "Spanish", "session expire"),
        ("Fehler beim Speichern großer Dateien", "German", "error save file"),
        ("Supprimer le compte", "French", "delete account"),
        ("Arquivo não é salvo", "Portuguese", "file saved"),
        ("保护分支的强制推送在哪里被拒绝", "Chinese", "protect branch force push where deny"),
        ("ファイルの読み込みに失敗する", "Japanese", "file load fails"),
    ],
)
def test_words_of_other_languages_become_english(task: str, language: str, words: str) -> None:
    found = translated(task, language_of(task))
    assert found is not None
    assert found.language == language
    assert set(words.split()) <= set(WORD.findall(found.text)), found.text


@pytest.mark.parametrize(
    "task",
    [
        "Fix the authentication token expiry bug",
        "rate limit",
        "es locale: parse fails on “miércoles”",
        "die in das on error",
        "Kündigungsfrist",
        "fix a typo in a comment of the CI",
        "add die casting support",
        "handle naïve datetimes",
        "",
    ],
)
def test_english_and_what_tells_no_language_stay(task: str) -> None:
    assert translated(task, language_of(task)) is None


def test_a_word_that_only_says_where_something_is_means_nothing() -> None:
    found = translated(task := "Wo steht die Datei, die dort liegt?", language_of(task))
    assert found is not None and not {"stands", "lies", "steht", "liegt"} & set(WORD.findall(found.text))


def test_code_and_names_stay() -> None:
    task = "Warum wird `datei_lesen` nicht von Datei.lesen() und src/datei.py aufgerufen?\n\n    datei = lesen()\n"
    found = translated(task, language_of(task))
    assert found is not None
    for kept in ("`datei_lesen`", "Datei.lesen()", "src/datei.py", "    datei = lesen()"):
        assert kept in found.text


@pytest.mark.parametrize(
    ("task", "label", "word"),
    [
        ("Der Knopf „Anmelden“ reagiert nicht, wenn die Datei fehlt", "Anmelden", "login"),
        ("El botón 'Guardar' no hace nada cuando el archivo es grande", "Guardar", "save"),
        ("「ログイン」ボタンを押しても反応しない", "ログイン", "login"),
    ],
)
def test_what_is_quoted_stays_and_is_said_in_english_too(task: str, label: str, word: str) -> None:
    found = translated(task, language_of(task))
    assert found is not None
    assert f'"{label}" {word}' in " ".join(found.text.split())


def test_a_label_in_another_script_makes_no_other_language_of_a_task() -> None:
    assert language_of("the “ログイン” button does not react") is None
    assert language_of("「ログイン」") == "ja"


@pytest.mark.parametrize("language", LANGUAGES.data)
def test_a_dictionary_names_each_phrase_once_beside_a_word(language: str) -> None:
    text = resources.files("zeroin.query").joinpath(f"dictionaries/{language}.tsv").read_text("utf-8")
    for part in text.split("\n\n"):
        entries = dict(line.split("\t") for line in part.splitlines())
        assert len(entries) == len(part.splitlines()) > 400
        for english, cell in entries.items():
            phrases = cell.split(", ")
            assert english.isascii()
            assert all(phrase and phrase == phrase.strip() for phrase in phrases), english
            assert max(Counter(phrases).values()) == 1, english


def test_an_answer_says_what_was_searched_for() -> None:
    context = open_session("Wo wird die Anzahl der Anfragen begrenzt?", "examples/rate-limiting", jobs=1).run()
    assert "src/middleware/throttle.ts" in {judgment.path for judgment in context.listed}
    (note,) = (note for note in context.warnings if note.startswith("the task is in German; searched for "))
    words = note.rpartition(" for ")[2].split(", ")
    assert {"request", "limit"} <= set(words) and not {"where", "how", "why"} & set(words)


def test_of_function_words_alone_an_answer_names_none(tmp_path: Path) -> None:
    task = "Wo und warum wird der Zwirbel mit dem Frobnikator gemacht?"
    context = open_session(task, repository(tmp_path, {"zwirbel.py": "zwirbel = 1\n"}), jobs=1).run()
    assert [note for note in context.warnings if "in German" in note] == [
        "the task is in German; searched for its words as they are"
    ]


def test_the_file_with_a_label_is_found_and_that_of_its_meaning_too(tmp_path: Path) -> None:
    files = {f"src/part{n}.ts": f"export function part{n}(v: number) {{ return v + {n}; }}\n" for n in range(12)}
    files["src/menu.ts"] = 'export const labels = {\n  enter: "ログイン",\n  leave: "ログアウト",\n};\n'
    files["src/login.ts"] = "export function login(user: string) { return user; }\n"
    context = open_session("「ログイン」ボタンを押しても反応しない", repository(tmp_path, files), jobs=1).run()
    assert {"src/menu.ts", "src/login.ts"} <= {judgment.path for judgment in context.files}


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
