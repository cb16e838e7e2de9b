"""A file implements an interface where the first line of a type names it as one that the type is of."""

from pathlib import Path

import pytest

from tests.repositories import repository
from zeroin.engine import Repository
from zeroin.gaps.references import implementers


@pytest.mark.parametrize(
    ("path", "interface", "other", "code", "implements"),
    [
        ("c.ts", "export interface Codec {\n  name: string\n}\n", "j.ts", "class Json implements Codec {\n}\n", True),
        ("c.ts", "export interface Codec {\n  name: string\n}\n", "j.ts", "class Json<T> extends Codec {\n}\n", True),
        ("c.ts", "export interface Codec {\n  name: string\n}\n", "j.ts", "type Maker = (c: Codec) => void\n", False),
        ("c.ts", "export interface Codec {\n  name: string\n}\n", "j.ts", "type Any = Codec | null\n", False),
        ("c.ts", "export interface Codec {\n  name: string\n}\n", "j.ts", "class Pool<C extends Codec> {\n}\n", False),
        (
            "c.ts",
            "export interface Codec {\n  name: string\n}\n",
            "j.ts",
            "class P extends Map<string, Codec> {\n}\n",
            False,
        ),
        ("c.rs", "pub trait Codec {\n    fn go(&self);\n}\n", "j.rs", "struct Json;\nimpl Codec for Json {\n}\n", True),
        ("c.rs", "pub trait Codec {\n    fn go(&self);\n}\n", "j.rs", "type Out = <Json as Codec>::Out;\n", False),
        ("c.rs", "pub trait Codec {\n    fn go(&self);\n}\n", "j.rs", "struct Pool<C: Codec> {\n    c: C,\n}\n", False),
        ("c.rs", "pub trait Codec {\n    fn go(&self);\n}\n", "j.rs", "impl<T> Codec for Vec<T> {\n}\n", True),
        ("c.rs", "pub trait Codec {\n    fn go(&self);\n}\n", "j.rs", "impl<T: Codec> Go for Vec<T> {\n}\n", False),
        (
            "C.hs",
            "class Codec a where\n  go :: a -> a\n",
            "J.hs",
            "instance Eq a => Codec [a] where\n  go = id\n",
            True,
        ),
        ("c.ex", "defprotocol Codec do\n  def go(x)\nend\n", "j.ex", "defimpl Codec, for: Json do\nend\n", True),
        ("c.py", "class Codec:\n    pass\n", "j.py", "class Json(Codec):\n    pass\n", True),
        ("c.py", "class Codec:\n    pass\n", "j.py", "class Pool(Generic[Codec]):\n    pass\n", False),
    ],
)
def test_a_bound_an_argument_or_an_alias_implements_nothing(
    tmp_path: Path, path: str, interface: str, other: str, code: str, implements: bool
) -> None:
    view = Repository.open(repository(tmp_path / "r", {path: interface, other: code}), jobs=1).opened.view
    assert implementers(view, "Codec") == ([view.doc_of(other)] if implements else [])
