"""Several repositories over MCP, and submodules whose git directories lead out of the roots."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.cli.conftest import FILES
from tests.repositories import git, repository
from zeroin.errors import InputError, RepositoryError
from zeroin.mcp import tools
from zeroin.mcp.roots import Roots
from zeroin.mcp.tools import call
from zeroin.mcp.work import Work

TASK = "Access tokens are accepted although they have expired"
MAIL = {"mail/send.py": "def deliver(letter):\n    return letter.stamp\n"}


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    repository(tmp_path / "all/shop", FILES)
    repository(tmp_path / "all/mail", MAIL)
    repository(tmp_path / "outside", MAIL)
    return Roots((tmp_path / "all",), tmp_path / "all")


def test_paths_are_asked_together_and_gone_on_with(roots: Roots) -> None:
    answer = call("find_context", {"task": TASK, "paths": ["shop", "mail"]}, roots, Work())
    assert "shop:src/auth/token-service.ts" in answer.text
    told = {"run": answer.structured["run"], "relevant": ["mail:mail/send.py"]}
    assert "mail:mail/send.py" in call("refine_context", told, roots, Work()).text


def test_a_list_of_one_is_that_repository(roots: Roots) -> None:
    alone = call("find_context", {"task": TASK, "path": "shop"}, roots, Work())
    assert call("find_context", {"task": TASK, "paths": ["shop"]}, roots, Work()) == alone
    with pytest.raises(InputError, match="nothing is changed"):
        call("find_context", {"paths": ["shop"], "diff": "uncommitted"}, roots, Work())


def test_two_folders_of_one_repository_take_one_turn(roots: Roots, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second waited for the first, until the engine's time was up."""
    taken: list[Path] = []
    monkeypatch.setattr(tools, "turn", lambda folder, work: nullcontext(taken.append(folder)))
    answer = call("find_context", {"task": TASK, "paths": ["shop/src", "shop/src/auth"]}, roots, Work())
    assert "token-service.ts" in answer.text
    assert len(taken) == 1


def test_each_of_them_must_lie_in_a_root(roots: Roots) -> None:
    with pytest.raises(RepositoryError, match="outside of what may be read"):
        call("find_context", {"task": TASK, "paths": ["shop", "../outside"]}, roots, Work())
    with pytest.raises(InputError, match="not both"):
        call("find_context", {"task": TASK, "path": "shop", "paths": ["mail"]}, roots, Work())
    with pytest.raises(InputError, match="one repository"):
        call("find_context", {"task": TASK, "diff": "HEAD", "paths": ["shop", "mail"]}, roots, Work())


def test_a_run_over_repositories_outside_is_refused(roots: Roots, tmp_path: Path) -> None:
    both = call("find_context", {"task": TASK, "paths": ["shop", "mail"]}, roots, Work())
    narrow = Roots((tmp_path / "all/shop",), tmp_path / "all/shop")
    with pytest.raises(Exception, match="outside of what may be read"):
        call("refine_context", {"run": both.structured["run"]}, narrow, Work())


@pytest.mark.parametrize("leads", ["", "alternates", "link", "commondir"])
def test_a_submodule_is_read_where_it_keeps_to_the_roots(roots: Roots, tmp_path: Path, leads: str) -> None:
    shop = tmp_path / "all/shop"
    git(shop, "-c", "protocol.file.allow=always", "submodule", "-q", "add", str(tmp_path / "outside"), "post")
    objects = shop / ".git/modules/post/objects"
    if leads == "alternates":
        (objects / "info/alternates").write_text(f"{tmp_path / 'outside/.git/objects'}\n")
    elif leads == "link":
        objects.rename(tmp_path / "objects")
        objects.symlink_to(tmp_path / "objects")
    elif leads == "commondir":
        (objects.parent / "commondir").write_text(f"{tmp_path / 'outside/.git'}\n")
    answer = call("find_context", {"task": "deliver a letter with its stamp", "path": "shop"}, roots, Work())
    assert ("post/mail/send.py" in answer.text) == (not leads)
    further = call("refine_context", {"run": answer.structured["run"], "note": "the stamp"}, roots, Work())
    assert ("post/mail/send.py" in further.text) == (not leads)
    terms = call("explain_terms", {"text": "deliver a letter", "path": "shop"}, roots, Work())
    assert ("deliver (" in terms.text) == (not leads)
