"""Rows of a batch asked of a fleet, by several actors at the same time."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from zeroin.cli.batch_rows import Row, error_row
from zeroin.cli.batch_worker import answer
from zeroin.config import Options
from zeroin.errors import OptionError
from zeroin.fleet.asking import Fleet
from zeroin.fleet.cluster import Shards, answers_of
from zeroin.fleet.shard import Setting
from zeroin.session import Session
from zeroin.workspace.members import Member


class Asker:
    """Answers one row after another."""

    def __init__(self, members: Sequence[Member], setting: Setting) -> None:
        setting.apply()
        self._fleet = Fleet(members, Shards.start(members))

    def answer(self, identity: str, request: bytes) -> tuple[str, bytes]:
        """Return the result row of an encoded `batch_worker.Request`."""
        return identity, answer(request, self._opened)

    def _opened(self, row: Row, options: Options) -> Session:
        if row.rev or row.diff is not None:
            raise OptionError("a revision or a change is one repository's: name revisions in the workspace file")
        return self._fleet.ask(row.task or "", options)


def answered(
    rows: Mapping[str, Row], members: Sequence[Member], options: Options, jobs: int
) -> Iterator[tuple[str, bytes]]:
    """Yield result rows by id, in the order in which they are done."""
    requests = [(name, msgspec.json.encode({"row": row, "options": options})) for name, row in rows.items()]
    for given, result, error in answers_of(Asker, (members, Setting.here()), requests, jobs):
        yield result or (given[0], error_row(given[0], error))
