"""Repositories whose configuration, attributes and references are tricks."""

import hashlib
import os
import shutil
from collections.abc import Callable

from benchmarks.hostile.place import INSIDE, RIGHT, Place

_HOOKS = """
pre-commit post-checkout post-index-change reference-transaction fsmonitor-watchman post-merge pre-auto-gc
sendemail-validate proc-receive
""".split()


def hooks(place: Place) -> None:
    """Hooks in the repository and in a folder that its configuration names."""
    for folder in (place.root / ".git/hooks", place.root / "hooks"):
        folder.mkdir(exist_ok=True)
        for name in _HOOKS:
            shutil.copy(place.trap, folder / name)
    place.config("[core]\n hooksPath = {root}/hooks\n")


def file_system_monitor(place: Place) -> None:
    """A program that is asked what changed."""
    place.git("update-index", "--fsmonitor")
    place.config('[core]\n fsmonitor = "{trap}"\n fsmonitorHookVersion = 2\n untrackedCache = true\n')
    place.touch()


def built_in_monitor(place: Place) -> None:
    """git's own daemon, which would go on running."""
    place.config("[core]\n fsmonitor = true\n")


def filters(place: Place) -> None:
    """Clean, smudge and process filters, one with a name like a configuration key."""
    place.write({".gitattributes": '*.py filter=f\n*.md filter=with=equals\n*.cfg filter="quoted"\n*.c filter=p\n'})
    place.commit()
    for name in ("f", "with=equals", "p", "quoted"):
        place.config(
            f'[filter "{name}"]\n clean = {{trap}}\n smudge = {{trap}}\n process = {{trap}}\n required = true\n'
        )
    place.touch()


def textconv_and_external_diff(place: Place) -> None:
    """Programs that show a difference."""
    place.write({".gitattributes": "* diff=d merge=m\n"})
    place.commit()
    place.config(
        '[diff]\n external = {trap}\n[diff "d"]\n textconv = {trap}\n command = {trap}\n cachetextconv = true\n'
    )
    place.config(
        '[merge "m"]\n driver = {trap} %O\n[difftool "x"]\n cmd = {trap}\n[interactive]\n diffFilter = {trap}\n'
    )
    place.write({RIGHT: INSIDE})


def aliases(place: Place) -> None:
    """Every command of git that is used, as an alias of a program."""
    names = "ls-files ls-tree log cat-file rev-parse diff diff-files diff-index diff-tree check-ignore config status"
    place.config("[alias]\n" + "".join(f" {name} = !{{trap}}\n" for name in names.split()))


def helpers(place: Place) -> None:
    """Pager, editor, transports, credentials, signatures."""
    place.config(
        "[core]\n pager = {trap}\n editor = {trap}\n sshCommand = {trap}\n askPass = {trap}\n gitProxy = {trap}\n"
        " alternateRefsCommand = {trap}\n[pager]\n log = {trap}\n ls-files = {trap}\n diff = {trap}\n"
        '[credential]\n helper = "!{trap}"\n[sequence]\n editor = {trap}\n[gpg]\n program = {trap}\n'
        "[log]\n showSignature = true\n[color]\n ui = always\n"
    )
    plain = place.git("cat-file", "commit", "HEAD").encode() + b"\n"
    signature = b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n"
    signed = place.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=plain.replace(b"\n\n", signature, 1))
    place.git("update-ref", "HEAD", signed)


def promised_objects(place: Place) -> None:
    """Objects that a remote of a program's own promised."""
    gone = place.git("rev-parse", f"HEAD:{'shop/till.py'}")
    (place.root / ".git/objects" / gone[:2] / gone[2:]).unlink()
    place.config(
        '[extensions]\n partialClone = origin\n[remote "origin"]\n url = ext::{trap}\n uploadpack = {trap}\n'
        ' promisor = true\n vcs = trap\n[protocol]\n allow = always\n[protocol "ext"]\n allow = always\n'
    )
    place.git("config", "core.repositoryFormatVersion", "1")


def alternates(place: Place) -> None:
    """Objects of a repository outside, which no name of this one leads to."""
    place.git("init", "-q", "-b", "main", ".", at=place.outside)
    place.git("add", "-A", at=place.outside)
    place.git("commit", "-q", "-m", "Renew the coupon of a customer", at=place.outside)
    (place.root / ".git/objects/info").mkdir(exist_ok=True)
    (place.root / ".git/objects/info/alternates").write_text(f"{place.outside}/.git/objects\n")


def included_configuration(place: Place) -> None:
    """Configuration that includes what is not there, and lists that lie outside."""
    place.config("[include]\n path = {outside}/gone\n")
    place.config("[core]\n excludesFile = {outside}/renew.py\n attributesFile = {outside}/renew.py\n")
    place.config("[mailmap]\n file = {outside}/renew.py\n[diff]\n orderFile = {outside}/renew.py\n")


def included_itself(place: Place) -> None:
    """Configuration that includes itself."""
    place.config("[include]\n path = config\n")


def included_secret(place: Place) -> None:
    """Configuration that includes a file outside, which is none."""
    place.config("[include]\n path = {outside}/renew.py\n")


def included_pipe(place: Place) -> None:
    """Configuration that includes a pipe."""
    os.mkfifo(place.root / ".git/pipe")
    place.config("[include]\n path = pipe\n")


def included_zeros(place: Place) -> None:
    """Configuration that includes a device without an end."""
    place.config("[include]\n path = /dev/zero\n")


def replaced_objects(place: Place) -> None:
    """Every blob and the newest commit stand for others."""
    other = place.git("hash-object", "-w", "--stdin", stdin=b"def replaced():\n    return 'never shown'\n")
    for row in place.git("ls-tree", "-r", "HEAD").splitlines():
        place.git("update-ref", f"refs/replace/{row.split()[2]}", other)
    place.git("update-ref", f"refs/replace/{place.git('rev-parse', 'HEAD')}", place.git("rev-parse", "HEAD~1"))


def grafts(place: Place) -> None:
    """Commits that are parents of themselves and of one another, and a list that is no list."""
    now, before = place.git("rev-parse", "HEAD"), place.git("rev-parse", "HEAD~1")
    (place.root / ".git/info").mkdir(exist_ok=True)
    (place.root / ".git/info/grafts").write_text(f"{now} {now} {before}\n{before} {now}\nnothing\n" * 1000)


def shallow_list(place: Place) -> None:
    """A list of cut-off commits of fifty megabytes."""
    (place.root / ".git/shallow").write_text(("0" * 40 + "\n") * 1_200_000)


def submodules(place: Place) -> None:
    """Submodules that lead out, run a program, or are named by a path out of the tree."""
    place.write(
        {
            ".gitmodules": f'[submodule "../../x"]\n path = ../outside\n url = ext::{place.trap}\n'
            f' update = !{place.trap}\n[submodule "s"]\n path = shop/coupons\n url = {place.outside}\n'
            ' fetchRecurseSubmodules = true\n[submodule "-u"]\n path = -x\n url = -u./trap\n'
        }
    )
    head = place.git("rev-parse", "HEAD")
    place.git("update-index", "--add", "--cacheinfo", f"160000,{head},shop/part")
    place.config("[submodule]\n recurse = true\n[status]\n submoduleSummary = true\n[diff]\n submodule = log\n")
    place.commit()
    (place.root / "shop/part").mkdir(exist_ok=True)
    (place.root / "shop/part/.git").write_text(f"gitdir: {place.outside}/.git\n")


def linked_git_files(place: Place) -> None:
    """`.gitmodules`, `.gitignore` and `.gitattributes` as links to secrets."""
    for name in (".gitmodules", ".gitignore", ".gitattributes", ".mailmap", ".ignore", "package.json", "go.mod"):
        (place.root / name).symlink_to(place.outside / "renew.py")


def attributes(place: Place) -> None:
    """Attributes that convert, expand, encode and define one another, in a file of ten megabytes."""
    rows = "*.md text eol=crlf ident export-subst working-tree-encoding=UTF-16 whitespace=trailing-space\n"
    macros = "".join(f"[attr]m{n} m{n + 1} m{n - 1}\n" for n in range(1, 2_000))
    place.write({".gitattributes": macros + "* m1\n" + "x" * 3000 + " m2\n" + rows})
    place.git("add", "-f", ".gitattributes")
    place.git("commit", "-q", "-m", "attributes")
    place.write({"shop/.gitattributes": "*.py -diff binary\n" * 500_000})
    place.touch()


def said_otherwise(place: Place) -> None:
    """Settings that change what git writes."""
    place.config(
        "[diff]\n noprefix = true\n mnemonicPrefix = true\n context = 0\n interHunkContext = 900\n renames = copies\n"
        " algorithm = patience\n colorMoved = zebra\n wsErrorHighlight = all\n relative = true\n statGraphWidth = 1\n"
        "[color]\n ui = always\n diff = always\n[log]\n follow = true\n date = format:%%Y\n decorate = full\n"
        " diffMerges = on\n mailmap = true\n[format]\n pretty = format:{trap}%x00%x00\n"
        "[core]\n quotePath = true\n abbrev = 4\n ignoreCase = true\n symlinks = false\n precomposeUnicode = true\n"
        "[i18n]\n logOutputEncoding = UTF-16\n commitEncoding = UTF-7\n[column]\n ui = always\n"
        "[status]\n showUntrackedFiles = no\n"
    )


def a_tree_elsewhere(place: Place) -> None:
    """A work tree outside."""
    place.git("config", "core.worktree", str(place.outside))


def a_git_directory_elsewhere(place: Place) -> None:
    """A `.git` that leads to a repository outside, which does not know of it; a command follows it."""
    shutil.move(place.root / ".git", place.outside / "kept")
    (place.root / ".git").write_text(f"gitdir: {place.outside}/kept\n")


def circular_names(place: Place) -> None:
    """References that lead to one another."""
    for one, other in (("a", "b"), ("b", "a"), ("main", "a")):
        (place.root / ".git/refs/heads" / one).write_text(f"ref: refs/heads/{other}\n")


def many_names(place: Place) -> None:
    """Four hundred thousand packed references, and a list of cut-off commits."""
    head = place.git("rev-parse", "HEAD")
    rows = "".join(f"{head} refs/tags/t{n:06}\n" for n in range(400_000))
    (place.root / ".git/packed-refs").write_text("# pack-refs with: peeled fully-peeled sorted \n" + rows)


def long_configuration(place: Place) -> None:
    """Fifty megabytes of settings."""
    place.config("[a]\n" + " b = 1\n" * 7_000_000)


def long_ignore_files(place: Place) -> None:
    """Ignore files that are full of zeros, and of a million patterns."""
    for name in (".ignore", ".zeroinignore"):
        with (place.root / name).open("wb") as file:
            file.truncate(2_000_000_000)
    place.write({"shop/.gitignore": "x*y*z*\n" * 1_000_000})


def zeros_to_ignore(place: Place) -> None:
    """A `.gitignore` of two gigabytes."""
    with (place.root / ".gitignore").open("wb") as file:
        file.truncate(2_000_000_000)


def index_of_lies(place: Place) -> None:
    """An index that claims four thousand million entries."""
    index = place.root / ".git/index"
    data = index.read_bytes()[:-20]
    data = data[:8] + b"\xff\xff\xff\xff" + data[12:]
    index.write_bytes(data + hashlib.sha1(data, usedforsecurity=False).digest())


def split_index(place: Place) -> None:
    """A split index that names a file outside."""
    place.git("update-index", "--split-index")
    shared = next((place.root / ".git").glob("sharedindex.*"))
    shutil.move(shared, place.outside / shared.name)
    shared.symlink_to(place.outside / shared.name)


def damaged_helpers(place: Place) -> None:
    """A commit graph, an index of packs and bitmaps of noise."""
    for name in ("info/commit-graph", "pack/multi-pack-index", "pack/pack-1.bitmap"):
        path = place.root / ".git/objects" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"CGPH\x01\x01\x04\x00" + bytes(range(256)) * 100)


CONFIGURED: tuple[Callable[[Place], None], ...] = (
    *(hooks, file_system_monitor, built_in_monitor, filters, textconv_and_external_diff, aliases, helpers),
    *(
        promised_objects,
        alternates,
        included_configuration,
        included_itself,
        included_secret,
        included_pipe,
        included_zeros,
    ),
    *(replaced_objects, grafts, shallow_list, submodules, linked_git_files, attributes, said_otherwise),
    *(a_tree_elsewhere, a_git_directory_elsewhere, circular_names, many_names, long_configuration),
    *(long_ignore_files, zeros_to_ignore, index_of_lies, split_index, damaged_helpers),
)
