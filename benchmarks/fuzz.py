"""Fuzzing: does anything that is read make zeroin fail? `python -m benchmarks.fuzz --minutes 60 --out F.json`

A finding is an exception that is not raised on purpose, more than two seconds of processor time, a lack of memory, or
the end of the process. Every target is fed in a process of its own with a limit of memory, which the system kills
once one input takes twenty seconds; the input that it died of lies in a mapped file. What is found is made small and
goes into the result file, where the runs of a commit and target are added up. Inputs are real ones changed at random
or, with `--guided`, those of atheris (`pip install atheris`), which follows the branches that they reach.
"""

import argparse
import base64
import json
import mmap
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.fuzz_inputs import MOST, changed, shrunk
from benchmarks.provenance import ROOT, provenance

TARGETS = ("analysers", "answers", "archives", "arguments", "patterns", "redaction", "stores", "tasks", "values")
SLOW_S, KILLED_S, MEMORY, IDLE_S = 2.0, 20.0, 2 << 30, 120.0
PLACES = ("ZEROIN_CACHE_DIR", "ZEROIN_DATA_DIR", "HOME", "TMPDIR")
_HEAD = 24  # bytes of the mapped file before the input: how many were tried, the form, the length
_TRIES, _SLOW_TRIES = 2_000, 40
_FULL = 3  # exit code of a process that has no memory left

Result = dict[str, Any]


def forms_of(target: str, folder: Path, seeds: Path | None = None) -> dict[str, Any]:
    """The forms of a target, which write below a folder."""
    from benchmarks import fuzz_kept, fuzz_targets

    home = fuzz_kept if target in ("archives", "stores", "values") else fuzz_targets
    found: dict[str, Any] = getattr(home, target)(folder, fuzz_targets.real_files(seeds))
    return found


def at_home(folder: Path) -> None:
    """Points everything that zeroin keeps into a folder."""
    for name in PLACES:
        (folder / name).mkdir(exist_ok=True)
        os.environ[name] = str(folder / name)


def failure(read: Callable[[bytes], object], data: bytes) -> str:
    """What is wrong with the way an input is read, "" if nothing is: the error and where, or the time that it took."""
    from zeroin.errors import ZeroinError

    took = []
    for _ in range(2):
        began = time.process_time()
        try:
            read(data)
        except ZeroinError:
            pass
        except Exception as error:  # noqa: BLE001 - what is looked for
            return f"{type(error).__name__} at {_place(error)}"
        took.append(time.process_time() - began)
        if took[-1] <= SLOW_S:
            return ""
    return f"over {SLOW_S:g} s"


def _place(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if f"{os.sep}zeroin{os.sep}" in frame.filename] or frames
    return f"{ours[-1].filename.rpartition(os.sep + 'zeroin' + os.sep)[2]}:{ours[-1].name}"


class _Child:
    """Feeds one target until its time is up, and writes what it finds into a folder."""

    def __init__(self, target: str, folder: Path, seeds: Path | None) -> None:
        self.found = folder / "findings.jsonl"
        self.forms = list(forms_of(target, folder, seeds).items())
        lines = self.found.read_text("utf-8").splitlines() if self.found.exists() else []
        self.known = {(each["form"], each["what"]) for each in map(json.loads, lines)}
        self._tried = int.from_bytes((folder / "now").read_bytes()[:8], "little")
        with (folder / "now").open("r+b") as file:
            self._now = mmap.mmap(file.fileno(), 0)

    def feed(self, at: int, data: bytes) -> None:
        """Has an input read by a form, and notes what is wrong."""
        name, form = self.forms[at]
        self._tried += 1
        head = b"".join(number.to_bytes(8, "little") for number in (self._tried, at, len(data)))
        self._now[: _HEAD + len(data)] = head + data
        signal.setitimer(signal.ITIMER_PROF, KILLED_S)
        what = failure(form.read, data)
        signal.setitimer(signal.ITIMER_PROF, 0)
        if not what or (name, what) in self.known:
            return
        self.known.add((name, what))
        _note(self.found, name, what, data)
        if what.startswith(MemoryError.__name__):
            os._exit(_FULL)  # what is left of the memory does not do for more
        tries, until = _SLOW_TRIES if what.startswith("over") else _TRIES, time.monotonic() + 60

        def still(less: bytes) -> bool:
            return time.monotonic() < until and failure(form.read, less) == what

        try:
            _note(self.found, name, what, shrunk(data, still, tries))
        except MemoryError:
            os._exit(_FULL)

    def at_random(self, seed: int, until: float) -> None:
        rng = Random(seed)
        while time.monotonic() < until:
            at = rng.randrange(len(self.forms))
            form = self.forms[at][1]
            self.feed(at, changed(rng, form.seeds, form.words))

    def guided(self, seed: int, until: float, corpus: Path) -> None:
        """The same with atheris, whose first byte of an input chooses the form."""
        import atheris

        for at, (_, form) in enumerate(self.forms):
            for number, data in enumerate(form.seeds):
                (corpus / f"{at}-{number}").write_bytes(bytes([at]) + data[:20_000])
        options = [f"-seed={seed}", f"-max_total_time={max(1, int(until - time.monotonic()))}"]
        options += [
            f"-max_len={MOST // 10}",
            "-timeout=3600",
            "-rss_limit_mb=0",
            "-verbosity=0",
            f"-artifact_prefix={corpus.parent}/",
            "-print_final_stats=0",
        ]
        words = sorted({word for _, form in self.forms for word in form.words if 0 < len(word) < 64})
        if words:
            escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in words)
            listed = corpus.with_name("words")
            listed.write_text("".join(f'"{word}"\n' for word in escaped))
            options.append(f"-dict={listed}")
        atheris.Setup([sys.argv[0], *options, str(corpus)], self._from_atheris)
        atheris.Fuzz()

    def _from_atheris(self, data: bytes) -> None:
        if data:
            self.feed(data[0] % len(self.forms), data[1:])


def _note(file: Path, form: str, what: str, data: bytes) -> None:
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps({"form": form, "what": what, "input": base64.b64encode(data).decode()}) + "\n")


def child(target: str, folder: Path, seed: int, seconds: float, seeds: Path | None, *, guided: bool) -> None:
    """What the process of a target does."""
    until = time.monotonic() + seconds
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
    at_home(folder)
    if guided:
        import atheris

        with atheris.instrument_imports(include=["zeroin"]):
            fed = _Child(target, folder, seeds)
        (folder / "corpus").mkdir(exist_ok=True)
        fed.guided(seed, until, folder / "corpus")
    else:
        _Child(target, folder, seeds).at_random(seed, until)


def fuzzed(target: str, minutes: float, seed: int, seeds: Path | None, *, guided: bool) -> Result:
    """One target for some minutes: what it got, and what was found."""
    began, used = time.monotonic(), _processor_time()
    until, restarts = began + 60 * minutes, 0
    with TemporaryDirectory(prefix="zeroin-fuzz-") as made:
        folder = Path(made)
        (folder / "now").write_bytes(bytes(_HEAD + MOST + 1))
        while time.monotonic() < until:
            command = [sys.executable, "-m", "benchmarks.fuzz", "--child", target, "--folder", made]
            command += ["--seed", str(seed + 1_000 * restarts), "--seconds", f"{until - time.monotonic():.1f}"]
            command += [*(["--seeds", str(seeds)] if seeds else []), *(["--guided"] if guided else [])]
            with (folder / "said").open("wb") as said:
                process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
                why = _watched(process, folder / "now", until)
            if why:
                _post_mortem(target, folder, why, seeds)
            restarts += 1
        found = folder / "findings.jsonl"
        lines = found.read_text("utf-8").splitlines() if found.exists() else []
        smallest = {(each["form"], each["what"]): each for each in map(json.loads, lines)}  # the last of each
        tried = int.from_bytes((folder / "now").read_bytes()[:8], "little")
    return {
        "minutes": round((time.monotonic() - began) / 60, 2),
        "processor_minutes": round((_processor_time() - used) / 60, 2),
        "inputs": tried,
        "findings": list(smallest.values()),
    }


def _watched(process: subprocess.Popen[bytes], now: Path, until: float) -> str:
    """Waits for a process; why it ended, "" if its time was up."""
    before, since = b"", time.monotonic()
    while process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)
        tried = now.read_bytes()[:8]
        if tried != before:
            before, since = tried, time.monotonic()
        if time.monotonic() > max(until, since) + IDLE_S:
            process.kill()
            process.wait()
            return f"waits for more than {IDLE_S:g} s"
    code = process.returncode
    if code >= 0:
        return "" if code in (0, _FULL) or time.monotonic() > until - 5 else f"exit code {code}"
    return f"over {KILLED_S:g} s" if -code == signal.SIGPROF else f"signal {-code}"


def _post_mortem(target: str, folder: Path, why: str, seeds: Path | None) -> None:
    """Notes the input that a process died of."""
    raw = (folder / "now").read_bytes()
    tried, at, length = (int.from_bytes(raw[8 * i : 8 * i + 8], "little") for i in range(3))
    names = list(forms_of(target, folder, seeds)) if tried else ["its start"]
    _note(folder / "findings.jsonl", names[at], why, raw[_HEAD : _HEAD + length])
    if not tried or why.startswith("exit"):
        sys.exit(f"{target} cannot be fuzzed: {(folder / 'said').read_text('utf-8', 'replace')[-2_000:]}")


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def add(out: Path, target: str, result: Result, arguments: Sequence[str]) -> None:
    """Adds a run to the entry of its commit and target in the result file."""
    whole = json.loads(out.read_text("utf-8")) if out.exists() else {"targets": {}}
    stamp = provenance("benchmarks.fuzz", arguments)
    commit = stamp["commit"][:12] + ("+" if stamp["dirty"] else "")
    entry = whole["targets"].setdefault(target, {}).setdefault(commit, {"findings": []})
    for name in ("minutes", "processor_minutes", "inputs"):
        entry[name] = round(entry.get(name, 0) + result[name], 2)
    known = {(each["form"], each["what"]) for each in entry["findings"]}
    fresh = [each for each in result["findings"] if (each["form"], each["what"]) not in known]
    entry["findings"] += [{**each, "input": _packed(each["input"])} for each in fresh]
    entry["provenance"] = stamp
    out.write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n", "utf-8")


def _packed(text: str) -> str:
    """An input of base 64 compressed, in base 85: many are long repetitions."""
    return base64.b85encode(zlib.compress(base64.b64decode(text), 9)).decode()


def table(out: Path) -> str:
    """The result file as Markdown: what every target got at every commit."""
    lines = ["| target | commit | minutes | of the processor | inputs | findings |", "|---|---|--:|--:|--:|--:|"]
    for target, commits in json.loads(out.read_text("utf-8"))["targets"].items():
        for commit, entry in commits.items():
            figures = (entry["minutes"], entry["processor_minutes"], f"{entry['inputs']:,}", len(entry["findings"]))
            lines.append(f"| {target} | {commit[:7]} | {' | '.join(map(str, figures))} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--targets", default=",".join(TARGETS), help="comma-separated")
    parser.add_argument("--minutes", type=float, default=1.0, help="of each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=Path, help="a folder of real files besides those of the tests")
    parser.add_argument("--guided", action="store_true", help="inputs of atheris")
    parser.add_argument("--out", type=Path)
    for name in ("--child", "--folder", "--seconds"):  # the process of a target
        parser.add_argument(name, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child, Path(given.folder), given.seed, float(given.seconds), given.seeds, guided=given.guided)
        return
    for target in given.targets.split(","):
        result = fuzzed(target, given.minutes, given.seed, given.seeds, guided=given.guided)
        tried, found = f"{result['inputs']:,} inputs in {result['minutes']} minutes", result["findings"]
        print(f"{target}: {tried}, {len(found)} findings", flush=True)
        for each in found:
            print(f"  {each['form']}: {each['what']}: {base64.b64decode(each['input'])[:200]!r}", flush=True)
        if given.out:
            add(given.out, target, result, sys.argv[1:])
    if given.out:
        print(table(given.out))


if __name__ == "__main__":
    main()
