"""`zeroin index` and `zeroin cache`: build, move, measure and clear what is cached."""

import click
from rich.filesize import decimal

from zeroin.cli.options import FiniteRange, jobs_option, quiet_option, rev_option
from zeroin.cli.output import OK, PARTIAL, complain, warn, write
from zeroin.cli.progress import LiveView
from zeroin.config import cache_dir
from zeroin.wording import counted

_MAX_AGE_DAYS = 30.0


@click.command()
@click.argument("path", default=".", type=click.Path())
@rev_option
@jobs_option
@click.option("--export", "export_to", metavar="PLACE", help="Then add its facts to a folder or object store.")
@click.option("--import", "import_from", metavar="PLACE", help="Take what is known there; HTTP, too.")
@quiet_option
def index(
    path: str, rev: str | None, jobs: int | None, export_to: str | None, import_from: str | None, quiet: bool
) -> int:
    """Build the index of PATH ahead, so that the first question is quick.

    What one machine has analysed, others need not: --export adds it to a PLACE (a folder, s3://…), --import takes from
    there what it has of these very files. With ZEROIN_FACTS=PLACE every question does.
    """
    from zeroin import kept_indexes

    if "" in (export_to, import_from):  # of a variable that is not set; the folder of that name is the current one
        raise click.UsageError("--export and --import need a PLACE, not an empty one")
    try:
        with LiveView(enabled=not quiet) as view:
            report = kept_indexes.build_index(path, rev=rev, jobs=jobs or 0, progress=view, facts=import_from or "")
    except KeyboardInterrupt:
        return complain("interrupted; what was analysed is kept: run it again for the rest", code=PARTIAL)
    # Before the report, so that a PLACE that cannot be written prints its error alone.
    exported = None if export_to is None else kept_indexes.export_facts(path, export_to, rev=rev)
    warn(report.warnings, quiet=quiet)
    where = report.tree.commit[:10] or report.tree.tree[:10]
    write(
        f"{counted(report.files, 'file')} of {where}{' with local changes' if report.tree.dirty else ''}: "
        f"{report.analysed} analysed, {report.reused} known, {report.skipped} skipped in {report.seconds:.1f} s\n",
        None,
    )
    if exported is not None:
        write(f"{counted(exported, 'fact')} {'is' if exported == 1 else 'are'} new in {export_to}\n", None)
    return OK


@click.command()
@click.argument("path", required=False, type=click.Path())
@click.option("--size", is_flag=True, help="Show its size (the default).")
@click.option("--clear", is_flag=True, help="Delete it: all of it, or that of PATH.")
@click.option("--prune", is_flag=True, help="Delete what was not used for long.")
@click.option("--max-age-days", type=FiniteRange(0), help="With --prune: keep what was used since (30).")
@click.option("--max-mb", type=FiniteRange(0), help="With --prune: keep at most this many, last used first.")
def cache(path: str | None, max_age_days: float | None, max_mb: float | None, **action: bool) -> int:
    """Show, clear or prune the cache of PATH, or of every repository."""
    if sum(action.values()) > 1:
        raise click.UsageError("one thing at a time: --size, --clear or --prune")
    if not action["prune"] and (max_age_days is not None or max_mb is not None):
        raise click.UsageError("--max-age-days and --max-mb say what --prune keeps: add --prune")
    from zeroin import kept_indexes
    from zeroin.index.cache import prune

    if action["clear"]:
        write(f"removed {decimal(kept_indexes.clear_cache(path))}\n", None)
    elif action["prune"]:
        if path is not None:
            raise click.UsageError("--prune is about the whole cache: leave PATH out")
        limit = None if max_mb is None else int(min(max_mb, 1e12) * 1e6)
        days = _MAX_AGE_DAYS if max_age_days is None else max_age_days
        write(f"removed {decimal(prune(limit, days))}\n", None)
    else:
        used = kept_indexes.cache_usage(path)
        rows = [f"{decimal(item.size):>10}  {item.name}\n" for item in used]
        write("".join(rows) + f"{decimal(sum(item.size for item in used)):>10}  in {cache_dir()}\n", None)
    return OK
