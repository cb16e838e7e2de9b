"""`zeroin schema` and `zeroin completion`."""

from __future__ import annotations

from importlib.resources import files

import click
from click.shell_completion import get_completion_class

from zeroin.cli.output import OK, write


@click.command()
@click.argument("name", type=click.Choice(("context", "events", "terms", "doctor")), default="context")
def schema(name: str) -> int:
    """Print a JSON Schema: of `--format json`, of a line of `--format jsonl`, or of `zeroin terms` or `doctor`."""
    write(files("zeroin").joinpath("schema", f"{name}.schema.json").read_bytes(), None)
    return OK


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> int:
    """Print a completion script, to be sourced by the shell.

    \b
    bash:  zeroin completion bash > ~/.local/share/bash-completion/completions/zeroin
    zsh:   zeroin completion zsh > "${fpath[1]}/_zeroin"
    fish:  zeroin completion fish > ~/.config/fish/completions/zeroin.fish
    """
    from zeroin.cli.main import cli

    maker = get_completion_class(shell)
    if maker is None:
        raise click.ClickException(f"no completion for {shell}")
    write(maker(cli, {}, "zeroin", "_ZEROIN_COMPLETE").source() + "\n", None)
    return OK
