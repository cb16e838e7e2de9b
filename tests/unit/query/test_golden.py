"""Condensed tasks in the forms that real ones take: what the query must hold, in which order, and what it must not."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from zeroin.config import Options
from zeroin.query.task import formulate, query_of
from zeroin.types import Origin, Query, Role, Task


@dataclass(frozen=True)
class Golden:
    """`top`: words that weigh more than any other (any order); `symbols` and `paths` are subsets; `absent` words."""

    text: str
    purpose: str = "fix"
    title: str = ""
    top: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    no_symbols: tuple[str, ...] = ()
    roles: frozenset[Role] = frozenset()
    languages: frozenset[str] = frozenset()


GOLDEN = {
    "one line": Golden(
        "Fix the authentication token expiry bug",
        title="Fix the authentication token expiry bug",
        top=("authentication", "token", "expiry"),
        absent=("the",),
    ),
    "short query": Golden(
        "request and response interceptors",
        purpose="explore",
        top=("response", "interceptors"),
        words=("request",),
        absent=("and",),
    ),
    "symbol and member": Golden(
        "HTTPAdapter send", purpose="explore", top=("HTTPAdapter", "send"), symbols=("HTTPAdapter", "send")
    ),
    "single name": Golden("Router", purpose="explore", top=("Router",), symbols=("Router",)),
    "ruby constant": Golden("Sinatra::Base", purpose="explore", symbols=("Sinatra.Base",)),
    "how": Golden(
        "how Plug.Conn defines call/2 for composable middleware",
        purpose="explore",
        symbols=("Plug.Conn", "call"),
        words=("composable", "middleware"),
    ),
    "architecture": Golden(
        "overview of the storage architecture", purpose="architecture", words=("storage",)
    ),
    "path in prose": Golden(
        "Division by zero in src/util/stats.py:88 when the window is empty",
        words=("stats", "window"),
        paths=("src/util/stats.py",),
        languages=frozenset({"python"}),
    ),
    "form with checklist": Golden(
        """[Bug]: Retry budget ignored by the scheduler
### Search before asking

- [X] I have searched the [issues](https://github.com/acme/tool/issues) and found no similar bug report.

### Component

Dispatcher

### What happened

`Scheduler.dispatch()` retries forever although `max_attempts` is 3.

### Versions

```
tool==2.1.0
pydantic==2.5.3
```
- OS: Ubuntu 22.04

### Are you willing to submit a PR?

- [ ] Yes I am willing to submit a PR!
""",
        title="Retry budget ignored by the scheduler",
        top=("Retry", "budget", "scheduler"),
        words=("dispatch", "max_attempts"),
        symbols=("Scheduler.dispatch", "max_attempts"),
        absent=("searched", "Ubuntu", "pydantic", "willing"),
    ),
    "title label": Golden(
        "## Title:\n\nMigrate raw post sockets to the write API\n\n### Description:\n\n"
        "The method `posts.getRawPost` is coupled to sockets.",
        purpose="feature",
        title="Migrate raw post sockets to the write API",
        symbols=("posts.getRawPost",),
    ),
    "one-line form": Golden(
        '# **Title: Attachments fail to open ### Description Opening an attachment shows `"Failed to open"`. '
        "### Expected behavior It opens. ### Additional context No call of `this._net.executeRequest`.",
        title="Attachments fail to open",
        symbols=("_net.executeRequest",),
        absent=("Description",),
    ),
    "comment and image": Golden(
        "Sidebar flickers\n<!-- Do not delete this template! -->\n![shot](https://img.example/a.png)\n"
        '<img width="641" src="https://img.example/b.png">\nThe sidebar flickers on resize.',
        top=("Sidebar", "flickers"),
        absent=("template", "delete", "img", "width", "shot"),
    ),
    "installed package frame": Golden(
        """slicing fails with negative step
```pytb
Traceback (most recent call last):
  File "/home/u/run.py", line 2, in <module>
    x[::-2].compute()
  File "/home/u/.venv/lib/python3.11/site-packages/dask/array/core.py", line 1900, in __getitem__
    return slice_array(self, index)
  File "/home/u/.venv/lib/python3.11/site-packages/dask/array/slicing.py", line 142, in slice_array
    raise IndexError("step must be positive")
IndexError: step must be positive
```""",
        top=("slicing", "negative"),
        words=("step", "positive"),
        symbols=("slice_array",),
        paths=("dask/array/slicing.py", "dask/array/core.py"),
        languages=frozenset({"python"}),
        absent=("venv",),
    ),
    "node frame": Golden(
        "diff() throws\nTypeError: Cannot read property '$u' of undefined\n"
        "    at diff (/home/ci/project/node_modules/dayjs/plugin/utc.js:1:1941)\n",
        words=("diff", "property"),
        symbols=("diff",),
        paths=("dayjs/plugin/utc.js",),
    ),
    "java": Golden(
        "Checkout of an empty cart crashes\n\n```\njava.lang.IllegalStateException: cart has no owner\n"
        "\tat org.acme.shop.Cart.checkout(Cart.java:77)\n\tat java.base/java.lang.Thread.run(Thread.java:833)\n```",
        top=("Checkout", "cart", "empty"),
        symbols=("Cart.checkout",),
        paths=("org/acme/shop/Cart.java",),
        languages=frozenset({"java"}),
    ),
    "rust compiler": Golden(
        "derive fails for generic enums\n```\nerror[E0382]: use of moved value: `inner`\n"
        "  --> src/expand/mod.rs:22:30\n   |\n"
        "22 |     let x = inner;\n```",
        words=("derive", "moved", "E0382"),
        paths=("src/expand/mod.rs",),
    ),
    "links to code": Golden(
        "Cyclic adapters\nThis line does not consider it:\n"
        "https://github.com/google/gson/blob/ceae88bd6667f4263bbe02e6b3710b8a683906a2/gson/src/main/java/TypeWrapper.java#L60\n"
        "See also [the docs](https://docs.example.org/api/foo.html).",
        paths=("gson/src/main/java/TypeWrapper.java",),
        absent=("ceae88bd6667f4263bbe02e6b3710b8a683906a2", "https", "github", "blob"),
    ),
    "user code": Golden(
        """extend() is ignored
```javascript
const dayjs = require('dayjs');
import relativeTime from 'dayjs/plugin/relativeTime';
const myOwnThing = compute();
dayjs.extend(relativeTime);
console.log(dayjs().fromNow());
```""",
        words=("fromNow", "extend"),
        symbols=("extend", "fromNow"),
        paths=("dayjs/plugin/relativeTime",),
        no_symbols=("console.log", "myOwnThing"),
        languages=frozenset({"javascript"}),
    ),
    "feature form": Golden(
        "Configurable back-off\n**Is your feature request related to a problem? Please describe.**\n"
        "Retries hammer the server.\n"
        "**Describe the solution you'd like**\nAn option `backoff_factor` on `RetryPolicy`.\n",
        purpose="feature",
        top=("Configurable",),
        symbols=("backoff_factor", "RetryPolicy"),
        absent=("solution", "related"),
    ),
    "standard names": Golden(
        purpose="explore",
        text="`std::vector` and `console.log` and `str` vs `ThrottleGate`",
        symbols=("ThrottleGate",),
        no_symbols=("std.vector", "console.log", "str"),
    ),
    "logs": Golden(
        "Worker stalls\n2024-02-17 12:06:00.577 | INFO | beat: Synchronizing schedule\n"
        "2024-02-17 12:07:00.577 | INFO | beat: Synchronizing schedule\n"
        "2024-02-17 12:08:11.001 | ERROR | heartbeat lost for consumer\n",
        top=("Worker", "stalls"),
        words=("heartbeat", "consumer"),
        absent=("2024",),
    ),
    "chinese": Golden(
        "序列化枚举集合失败\n### 问题描述\n使用动态代理时 EnumSet 反序列化失败。\n"
        "### 环境信息\n - OS信息：  MacBook pro M1\n",
        title="序列化枚举集合失败",
        words=("序列化枚举集合失败", "EnumSet"),
        symbols=("EnumSet",),
        absent=("MacBook",),
    ),
    "german": Golden(
        "Behebe den Fehler beim Ablauf der Sitzungsschlüssel",
        words=("Sitzungsschlüssel", "Ablauf"),
    ),
    "flaky test": Golden(
        "Flaky test test_reconnect in CI on Windows",
        roles=frozenset({Role.TEST, Role.CONFIG}),
        symbols=("test_reconnect",),
    ),
    "documentation": Golden(
        "Documentation of the cache settings is wrong in README", roles=frozenset({Role.DOC})
    ),
    "add with tests": Golden("Add rate limiting and add a test for it", purpose="feature", roles=frozenset()),
    "php namespace": Golden(
        "Monolog\\Handler\\StreamHandler loses the lock", symbols=("Monolog.Handler.StreamHandler",)
    ),
    "java member": Golden("Cart#checkout returns null for guests", symbols=("Cart.checkout",)),
    "windows path": Golden("Wrong encoding written by src\\Acme\\Writer.cs", paths=("src/Acme/Writer.cs",)),
    "html code": Golden(
        "Crash\n<pre><code>ctx.render_block('x')\n</code></pre>\nwith <code>BlockRenderer</code>",
        symbols=("BlockRenderer", "render_block"),
    ),
    "indented code": Golden(
        "Wrong sum\n\nRun this:\n\n    total = ledger.sum_all(rows)\n\nIt is negative.",
        symbols=("ledger.sum_all",),
    ),
    "flag": Golden(
        purpose="explore", text="The option --dry-run writes files", words=("dry_run",), symbols=("dry_run",)
    ),
    "trace first": Golden(
        'Traceback (most recent call last):\n  File "app/jobs.py", line 3, in run_jobs\n'
        "    go()\nJobError: lost lease\n",
        title="JobError: lost lease",
        words=("lease", "JobError"),
        symbols=("run_jobs", "JobError"),
        paths=("app/jobs.py",),
    ),
}


def _query(text: str) -> Query:
    return query_of(Task(text), Options())


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str) -> None:
    golden = GOLDEN[name]
    query = _query(golden.text)
    words = [k.text for k in query.keywords]
    lower = {word.lower() for word in words}
    assert formulate(golden.text, Options())[0].purpose == golden.purpose
    if golden.title:
        assert query.title == golden.title
    assert set(golden.top) <= set(words[: len(golden.top) + 1]), words
    assert set(golden.words) <= set(words), words
    assert not {word.lower() for word in golden.absent} & lower, words
    symbols = {s.name for s in query.symbols}
    assert set(golden.symbols) <= symbols, symbols
    assert not set(golden.no_symbols) & symbols, symbols
    paths = {p.path for p in query.paths}
    assert set(golden.paths) <= paths, paths
    assert query.wanted_roles == golden.roles
    assert golden.languages <= query.languages, query.languages


def test_a_quoted_call_is_the_name_without_brackets() -> None:
    query = _query('Server starts twice\n\nWe call "rest.MustNewServer()" with cors.')
    assert {s.name for s in query.symbols} == {"rest.MustNewServer"}


def test_weights_are_ordered_by_origin() -> None:
    query = _query(
        "zebra grows\nThe yak walks and `x_ray_tube` shines.\n```\nwolf(1)\n```\n"
        'Traceback (most recent call last):\n  File "a/b.py", line 3, in f\n    vole_thing(3)\nBadError: unicorn lost\n'
    )
    weight = {k.text: k.weight for k in query.keywords}
    assert (
        weight["zebra"]
        > weight["x_ray_tube"]
        > weight["unicorn"]
        > weight["yak"]
        > weight["wolf"]
        > weight["vole_thing"]
    )


def test_a_word_in_several_places_gains_modestly() -> None:
    once = {k.text: k.weight for k in _query("zebra\n\nyak walks").keywords}["zebra"]
    twice = {k.text: k.weight for k in _query("zebra\n\nthe zebra walks").keywords}["zebra"]
    assert once < twice <= 1.5 * once


def test_inflected_forms_are_one_keyword() -> None:
    texts = [k.text for k in _query("Caching\n\nthe cache caches cached things twice").keywords]
    assert len({t for t in texts if t.lower().startswith("cach")}) == 1


def test_innermost_frame_comes_first_and_is_numbered_zero() -> None:
    query = _query(GOLDEN["installed package frame"].text)
    frames = [(p.frame, p.path) for p in query.paths if p.frame is not None]
    assert min(frames) == (0, "dask/array/slicing.py")
    assert next(p for p in query.paths if p.frame == 0).line == 142


def test_text_for_history_is_prose_only() -> None:
    text = _query(GOLDEN["form with checklist"].text).text
    assert text.startswith("Retry budget ignored by the scheduler")
    assert "retries forever" in text
    assert "searched" not in text and "pydantic" not in text
    assert "compute()" not in _query(GOLDEN["installed package frame"].text).text


def test_callers_settings_are_honoured_as_given() -> None:
    options = Options(
        keywords=("Rate-Limit bucket", "the"),
        includes=("src/**",),
        excludes=("docs/**",),
        focus=("billing core",),
    )
    query = query_of(Task("Throttle the bucket and the core"), options)
    callers = [k for k in query.keywords if k.origin is Origin.CALLER]
    assert [k.text for k in callers] == ["Rate-Limit bucket", "the", "billing", "core"]
    assert query.keywords[:4] == tuple(callers)
    assert callers[0].weight == max(k.weight for k in query.keywords)
    assert [k.text for k in query.keywords].count("core") == 1
    assert (query.includes, query.excludes, query.focus_areas) == (
        ("src/**",),
        ("docs/**",),
        ("billing core",),
    )
