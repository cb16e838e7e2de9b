"""`zeroin schema`, `completion` and `prompt`: texts to print."""

import json

import click
from click.shell_completion import get_completion_class

from zeroin.beside import text_beside
from zeroin.cli.output import OK, write
from zeroin.install import texts


@click.command()
@click.argument("name", type=click.Choice(("context", "events", "terms", "doctor")), default="context")
def schema(name: str) -> int:
    """Print a JSON Schema: of `--format json`, of a line of `--format jsonl`, or of `zeroin terms` or `doctor`."""
    if name == "doctor":
        write(text_beside(__file__, "../schema/doctor.schema.json"), None)
        return OK
    from zeroin.context.rendering.events import json_schema

    write(json.dumps(json_schema(name), indent=2, ensure_ascii=False) + "\n", None)
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
    maker = get_completion_class(shell)
    if maker is None:
        raise click.ClickException(f"no completion for {shell}")
    command = click.get_current_context().find_root().command
    write(maker(command, {}, "zeroin", "_ZEROIN_COMPLETE").source() + "\n", None)
    return OK


@click.command()
def prompt() -> int:
    """Print the pattern as a block to paste into any agent's prompt; it works with grep alone."""
    write(texts.prompt(), None)
    return OK
