"""Words of texts as numbers: the same words on the same lines as by hand, in one text and across several."""

from hypothesis import given
from hypothesis import strategies as st

from zeroin.index.lexicon import Lexicon
from zeroin.terms import WORD, analyse_word

TEXTS = st.lists(st.lists(st.text("ab_.\r\x0b é", max_size=8), max_size=6).map("\n".join), max_size=4)


@given(TEXTS)
def test_every_word_stands_on_its_line(texts: list[str]) -> None:
    lexicon = Lexicon()
    for doc, text in lexicon.load(range(len(texts)), lambda docs: None, texts.__getitem__).items():
        said = [(lexicon.words[n], at) for n, at in zip(text.words.tolist(), text.lines.tolist(), strict=True)]
        lines = enumerate(texts[doc].split("\n"), start=1)
        assert said == [(word, at) for at, line in lines for word in WORD.findall(line)]
    assert len(set(lexicon.words)) == len(lexicon)
    for term, numbers in lexicon.by_term.items():
        assert all(term in analyse_word(lexicon.words[n]) for n in numbers)


def test_lines_that_import_are_known() -> None:
    text = "import a\n\x0b  from b import c\nimportant = 1\n#include <d>\n"
    assert Lexicon().load([0], lambda docs: None, lambda doc: text)[0].links.tolist() == [1, 2, 4]
