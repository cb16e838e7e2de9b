"""Usefulness of files for a mined change, on a real repository and the product's own index of its parent."""

from pathlib import Path

import pytest
from written_repository import Repo

from training.changes import FilePatch, Touched, read_patches
from training.mined import Mined
from training.usefulness import changed_symbols, names_of, needed, patch_of, usefulness
from zeroin.engine import Repository
from zeroin.tree import Definition

FILES = {
    "shop/cart.py": "from shop.price import net_price\n\n\ndef cart_total(items):\n    return sum(items)\n\n\n"
    "def unrelated():\n    return 1\n",
    "shop/price.py": "def net_price(item):\n    return item\n",
    "shop/checkout.py": "from shop.cart import cart_total\n\n\ndef pay(items):\n    return cart_total(items)\n",
    "shop/banner.py": "def show_banner():\n    return 'cart_total'\n",
    "shop/notes.md": "cart_total and net_price\n",
    "tests/test_cart.py": "from shop.cart import cart_total\n",
    "tests/test_pay.py": "from shop.cart import cart_total\n",
}


@pytest.fixture
def mined(tmp_path: Path) -> tuple[Repo, Mined]:
    repo = Repo(tmp_path / "repo")
    parent = repo.change("Sell things to everybody", FILES)
    changed = FILES["shop/cart.py"].replace("sum(items)", "sum(net_price(i) for i in items)  # show_banner")
    change = repo.change("Sum net prices of items", {"shop/cart.py": changed, "tests/test_cart.py": "import shop\n"})
    row = Mined("a/b@1", "a/b", change, parent, "python", "", ("shop/cart.py",), ("tests/test_cart.py",), (), {})
    return repo, row


def test_definitions_and_callers_are_needed(mined: tuple[Repo, Mined]) -> None:
    repo, row = mined
    git_dir = repo.folder / ".git"
    view = Repository.open(repo.folder, rev=row.commit, jobs=1).opened.view
    patch = patch_of(git_dir, row)
    # The banner is named in a comment, the notes are prose, a test that the change leaves alone is not needed.
    assert needed(view, row, patch) == {"shop/checkout.py": "calls", "shop/price.py": "defines"}
    assert usefulness(view, row, patch) == {
        "shop/cart.py": 1.0,
        "shop/checkout.py": 0.6,
        "shop/price.py": 0.6,
        "tests/test_cart.py": 0.6,
    }


def test_patches_follow_renames(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    body = "".join(f"value_{i} = {i}\n" for i in range(30))
    repo.change("first", {"a b.py": body})
    change = repo.change("second", {"a b.py": None, "c.py": body.replace("value_3 = 3", "value_3 = 4")})
    (patch,) = read_patches(repo.folder / ".git", [change])[change]
    assert (patch.file.status, patch.file.path, patch.file.new) == ("R", "a b.py", "c.py")
    assert patch.ranges == ((4, 4),) and patch.changed == 2


def test_names_on_changed_lines() -> None:
    text = b'@@ -1 +1 @@\n-    old_call(x)  # ignored_one\n+    new_call("ignored_two")\n+# ignored_three\n'
    patch = FilePatch(Touched("M", "a.py", "a.py", "", "", True), ((1, 1),), 3, False, text)
    assert names_of(patch, "python") == {"old_call", "new_call"}
    c = FilePatch(patch.file, ((1, 1),), 1, False, b"@@ -1 +1 @@\n+  run_it(); // ignored\n+ * ignored too\n")
    assert names_of(c, "c") == {"run_it"}


def test_changed_symbols_are_the_innermost() -> None:
    definitions = [
        Definition("Cart", "class", 1, 20, ""),
        Definition("__init__", "method", 2, 5, "Cart"),
        Definition("total", "method", 6, 12, "Cart"),
    ]
    assert changed_symbols(definitions, [(7, 7)]) == {"total"}
    assert changed_symbols(definitions, [(3, 3)]) == {"Cart"}
    assert changed_symbols(definitions, [(40, 41)]) == set()
