"""Repositories whose files are tricks: links, special files, names, sizes, and source that exhausts a parser."""

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from benchmarks.hostile.place import INSIDE, Place
from zeroin.config import MAX_FILE_BYTES

_CODE = INSIDE.encode()


def links_out(place: Place) -> None:
    """Links to files and folders outside, tracked and not."""
    (place.root / "shop/renew_coupon.py").symlink_to(place.outside / "renew.py")
    (place.root / "customer").symlink_to(place.outside)
    (place.root / "relative.py").symlink_to("../outside/renew.py")
    place.commit()
    (place.root / "coupon.py").symlink_to(place.outside / "renew.py")
    (place.root / "coupons").symlink_to(place.outside)


def a_folder_that_became_a_link(place: Place) -> None:
    """A tracked folder in whose place a link stands."""
    place.write({"shop/offers/renew.py": INSIDE})
    place.commit()
    subprocess.run(["rm", "-r", str(place.root / "shop/offers")], check=True)
    (place.root / "shop/offers").symlink_to(place.outside)


def links_in_circles(place: Place) -> None:
    """Links to themselves, to one another and to the folder above."""
    for name, target in (("a", "a"), ("b", "c"), ("c", "b"), ("shop/up", ".."), ("shop/top", "../shop")):
        (place.root / name).symlink_to(target)
    place.commit()
    (place.root / "new").symlink_to("new")


def links_to_the_system(place: Place) -> None:
    """Links to what the system shows of this process, and to devices."""
    for name, target in (("env.py", "self/environ"), ("mem.py", "self/mem"), ("cwd", "self/cwd"), ("fd", "self/fd")):
        (place.root / name).symlink_to(f"/proc/{target}")
    for name in ("zero", "random", "stdin", "tty"):
        (place.root / f"{name}.py").symlink_to(f"/dev/{name}")
    place.commit()


def special_files(place: Place) -> None:
    """Pipes, a socket and devices, with names of sources and in place of tracked files."""
    for name in ("pipe.py", "shop/stock.py", "package.json", ".ignore"):
        (place.root / name).unlink(missing_ok=True)
        os.mkfifo(place.root / name)
    here = os.open(place.root, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"/proc/self/fd/{here}/socket.py")  # a name of a socket must be short
    os.close(here)
    (place.root / "shop/till.py").unlink()
    with suppress(PermissionError):  # only the superuser may
        os.mknod(place.root / "zero.py", stat.S_IFCHR | 0o666, os.makedev(1, 5))
        os.mknod(place.root / "shop/till.py", stat.S_IFCHR | 0o666, os.makedev(1, 5))


def unreadable(place: Place) -> None:
    """Files and folders that may not be read (the superuser may)."""
    place.write({"closed/coupon.py": INSIDE})
    place.commit()
    (place.root / "shop/till.py").chmod(0)
    (place.root / "closed").chmod(0)


NAMES = (
    "renew\ncoupon customer.py",
    "renew\tcoupon.py",
    "renew\x1b[2J\x1b]0;coupon\x07.py",
    "renew\r\x08\x08coupon.py",
    "renew_coupon_\udcff\udcfe.py",
    "renew\u202eyp.nopuoc.py",
    "renew\u2066coupon\u2069\u200b\ufeff\u00ad.py",
    "renew\U000e0041\U000e0042coupon.py",
    "renew\x9b31m\x85coupon.py",
    "renew\u2028coupon\u2029.py",
    "renew \"coupon\" 'customer'.py",
    "renew|coupon|`customer`.py",
    "renew ``` coupon.py",
    "<script>renew(coupon)<.py",
    "renew]]>coupon<!--.py",
    "![renew](http:coupon).py",
    "[renew]: coupon customer.py",
    "# renew coupon.py",
    "--renew=coupon.py",
    ":(exclude)renew coupon.py",
    ":!renew*coupon[a-z]?.py",
    "renew%0acoupon%2f..py",
    "renew coupon .py ",
    "renew coupon...",
    " renew coupon.py",
    "re\u0301new coupon.py",
    "r\u00e9new coupon.py",
    "RENEW_COUPON.PY",
    "renew coupon" + "n" * 240 + ".py",
    "renew 'coupon'; touch mark; $(touch mark).py",
    "renew coupon\nSufficient. | 1.00 | run: r-0.py",
    "CON.py",
    "renew coupon:stream.py",
    "renew\\coupon\\..\\..\\customer.py",
    "~renew coupon.py",
    "-",
    "@renew coupon.py",
)


def names(place: Place) -> None:
    """Names that move the cursor, forge lines, end quotations, or are no Unicode."""
    for number, name in enumerate(NAMES):
        for folder in ("", f"shop/{name[:60]} {number}/"):
            with suppress(OSError):  # a file system may refuse one
                path = os.fsencode(place.root) + b"/" + (folder + name).encode("utf-8", "surrogateescape")
                os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
                with open(path, "wb") as file:  # noqa: PTH123
                    file.write(_CODE)
    place.commit("Renew the coupon\x1b[31m of a \u202ecustomer")


def a_long_path(place: Place) -> None:
    """A path of four thousand characters."""
    _deep(place, [f"coupon{'n' * 240}"] * 16)
    place.commit()


def deep_folders(place: Place) -> None:
    """Two thousand folders one in another: in git a path of four thousand characters, in the tree one of more."""
    _deep(place, ["d"] * 2_000)
    place.commit()
    _deep(place, ["new"] * 2_000)


def _deep(place: Place, folders: list[str]) -> None:
    at = os.open(place.root, os.O_RDONLY)
    for name in folders:
        os.mkdir(name, dir_fd=at)
        inner = os.open(name, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    file = os.open("renew.py", os.O_WRONLY | os.O_CREAT, dir_fd=at)
    os.write(file, _CODE)
    os.close(file)
    os.close(at)


def sparse_file(place: Place) -> None:
    """Two gigabytes of zeros that take no room, as source and as a manifest."""
    for name in ("shop/coupon_sparse.py", "package.json", "shop/customer.txt"):
        with (place.root / name).open("wb") as file:
            file.write(_CODE)
            file.truncate(2_000_000_000)


def long_line(place: Place) -> None:
    """Lines of fifty megabytes in source, prose and data."""
    _write_lines(place, b'"customer coupon ' * 3_000_000)


def long_line_within_the_limit(place: Place) -> None:
    """Lines of just the size of a file that is still read."""
    _write_lines(place, (b'"customer coupon ' * 200_000)[: MAX_FILE_BYTES - 100])


def _write_lines(place: Place, rest: bytes) -> None:
    """Write a line that ends so as source, prose and data."""
    for name, head in (("coupon.py", b"COUPON = "), ("coupon.md", b"coupon "), ("coupon.json", b'{"coupon": ')):
        place.write({f"shop/{name}": head + rest})
    place.commit()


def many_files(place: Place) -> None:
    """Two hundred thousand small files."""
    for folder in range(200):
        at = place.root / f"shop/part{folder}"
        at.mkdir(parents=True)
        for number in range(1_000):
            (at / f"step{number}.py").write_bytes(b"def step_%d_%d():\n    return 1\n" % (folder, number))
    place.commit()


def manifests(place: Place) -> None:
    """Manifests that are deep, that include one another, or that lead out."""
    deep = "[" * 500_000
    place.write(
        {
            "package.json": '{"main": "../outside/renew.py", "workspaces": ["../outside", "/"], "a": ' + deep,
            "tsconfig.json": '{"extends": "./shop/tsconfig.json", "compilerOptions": {"paths": {"*": ["/*"]}}}',
            "shop/tsconfig.json": '{"extends": "../tsconfig.json"}',
            "go.mod": "module coupon\nreplace coupon => ../outside\n" + "replace a => b\n" * 100_000,
            "go.work": "use (\n../outside\n" + "(" * 100_000,
            "Cargo.toml": '[workspace]\nmembers = ["../*", "/**"]\n[dependencies]\na = { path = "../outside" }\n',
            "pyproject.toml": "a" + ".a" * 500_000 + " = 1\n[tool.setuptools]\npackages = ['..']\n" + deep,
            "composer.json": '{"autoload": {"psr-4": {"": "../outside"}}}',
            "pom.xml": '<!DOCTYPE l [<!ENTITY a "&#65;"><!ENTITY b "&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
            + "<a>" * 200_000,
            "pnpm-workspace.yaml": "a: &a [x]\nb: &b [*a,*a]\npackages: [*b, *b, '../**']\n",
        }
    )
    place.commit()


_SUFFIX = dict(
    row.split("=")
    for row in """
    python=py javascript=js typescript=ts tsx=tsx go=go rust=rs java=java kotlin=kt scala=scala c=c cpp=cpp csharp=cs
    ruby=rb php=php swift=swift elixir=ex haskell=hs lua=lua bash=sh zig=zig markdown=md yaml=yaml json=json html=html
    css=css vue=vue sql=sql toml=toml rst=rst xml=xml perl=pl svelte=svelte hcl=tf text=txt
    """.split()
)
_OPENINGS = dict(
    row.split("=", 1)
    for row in """
    python=if a:|ruby=if a|bash=if a; then|lua=if a then|elixir=if a do|haskell=do a (|html=<div>|vue=<div>|xml=<a>
    svelte=<div>|yaml=- |markdown=> |css=a {|php=<?php if (a) {|json=[
    """.strip()
    .replace("\n    ", "|")
    .split("|")
)
SHAPES: dict[str, Callable[[str], str]] = {
    "brackets": lambda language: "([{\n" * 400_000,
    "brackets of one kind": lambda language: "x = (\n" * 250_000 + ")\n" * 100_000,
    "blocks": lambda language: (_OPENINGS.get(language, "if (a) {") + "\n") * 120_000,
    "indentation": lambda language: "".join(" " * n + _OPENINGS.get(language, "{") + "\n" for n in range(1_500)),
    "operators": lambda language: "x = 1\n" + " + f(a)\n" * 200_000,
    "unary operators": lambda language: "x = " + "-\n!\n~\n" * 300_000 + "1\n",
    "a long name": lambda language: "def " + "coupon_" * 200_000 + "\n" + "Coupon" * 20_000 + "\n",
    "an open string": lambda language: 'x = "' + "coupon ' ` \" \\\n" * 100_000,
    "an open comment": lambda language: "/* {- <!-- --[[ =begin\n" + "coupon /* {- (* \n" * 100_000,
    "templates": lambda language: 'x = `${f"{`${' * 100_000,
    "definitions": lambda language: "".join(
        f"def c{n}(): pass\nfunction c{n}() {{}}\nclass C{n} {{}}\n" for n in range(25_000)
    ),
    "imports": lambda language: "".join(
        f"import a{n}\nfrom b{n} import c\n#include <d{n}>\nuse e{n};\n" for n in range(25_000)
    ),
    "types": lambda language: "x: " + "A<B<C<\n" * 200_000 + ">" * 100_000,
    "noise": lambda language: "é漢\u200b\u0301\x0b\x0c\x01)]}>;:=@#$%^&*" * 40_000,
}


def source(place: Place, shape: str) -> None:
    """A file of every language, of a shape that is hard to parse."""
    files = {}
    for language, suffix in _SUFFIX.items():
        text = SHAPES[shape](language)
        files[f"hard/coupon.{suffix}"] = text.encode("utf-8", "surrogateescape")[: MAX_FILE_BYTES - 10]
    place.write(files)
    place.commit()


def _named(function: Callable[..., None], name: str) -> Callable[[Place], None]:
    given = partial(function, shape=name)
    given.__name__ = f"source: {name}"  # type: ignore[attr-defined]
    given.__doc__ = function.__doc__
    return given


FILES: tuple[Callable[[Place], None], ...] = (
    *(links_out, a_folder_that_became_a_link, links_in_circles, links_to_the_system, special_files, unreadable),
    *(names, a_long_path, deep_folders, sparse_file, long_line, long_line_within_the_limit, manifests),
)
SOURCES = tuple(_named(source, shape) for shape in SHAPES)
LARGE: tuple[Callable[[Place], None], ...] = (many_files,)
if sys.platform == "darwin":  # no such folder
    FILES = tuple(f for f in FILES if f is not links_to_the_system)
