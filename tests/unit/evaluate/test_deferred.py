"""What is made when it is first looked at."""

import copy
import pickle

from zeroin.evaluate.deferred import Deferred
from zeroin.types import Judgment, Span

SPANS = (Span(1, 3), Span(7, 9))


def test_nothing_is_made_until_it_is_looked_at_and_then_once() -> None:
    making = iter((SPANS,))
    judgment = Judgment("a.py", 0.5, spans=Deferred(lambda: next(making)))
    assert making.__length_hint__() == 1
    assert list(judgment.spans) == [*judgment.spans] == list(SPANS)


def test_it_is_the_tuple_that_it_stands_for() -> None:
    deferred = Deferred(lambda: SPANS)
    assert deferred == SPANS and deferred == Deferred(lambda: SPANS) and deferred != ()
    assert (hash(deferred), repr(deferred), len(deferred)) == (hash(SPANS), repr(SPANS), 2)
    assert (deferred[0], deferred[:1], SPANS[1] in deferred) == (SPANS[0], SPANS[:1], True)
    assert not Deferred(tuple)
    for same in (copy.deepcopy(deferred), pickle.loads(pickle.dumps(deferred))):
        assert type(same) is tuple and same == SPANS
