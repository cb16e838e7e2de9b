"""Each trace family: frames innermost first with path, line and function; errors; what is not of the repository."""

from __future__ import annotations

import pytest

from zeroin.query.traces import scan

FAMILIES = {
    "python": (
        """
Traceback (most recent call last):
  File "/home/ana/proj/app/main.py", line 12, in <module>
    run()
    ^^^^^
  File "/usr/lib/python3.11/site-packages/dask/array/core.py", line 3401, in asarray
    return x.compute()
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
""",
        [
            ("decoder.py", 355, "raw_decode"),
            ("dask/array/core.py", 3401, "asarray"),
            ("proj/app/main.py", 12, ""),
        ],
        "JSONDecodeError",
    ),
    "python 8 notebook": (
        """
---------------------------------------------------------------------------
ValueError                                Traceback (most recent call last)
Cell In[3], line 1
----> 1 scipy.integrate.trapezoid(x, x)

File ~/.venv/lib/python3.12/site-packages/scipy/integrate/_quadrature.py:142, in trapezoid(y, x, dx, axis)
    140     shape = [1] * y.ndim
--> 142     x = xp.reshape(x, shape)
ValueError: cannot reshape array of size 4 into shape (2,)
""",
        [("scipy/integrate/_quadrature.py", 142, "trapezoid"), ("Cell", 1, "")],
        "cannot reshape",
    ),
    "ipython": (
        """
/home/bob/work/pandas/core/indexes/multi.py in get_loc(self, key, method)
   2141             key = _values_from_object(key)
-> 2143             return self._engine.get_loc(key)
KeyError: (1, 0)
""",
        [("work/pandas/core/indexes/multi.py", None, "get_loc")],
        "KeyError",
    ),
    "rich": (
        """
╭──────────── Traceback (most recent call last) ────────────╮
│ /srv/app/cli.py:31 in main                                │
│                                                           │
│ ❱ 31 │   load(path)                                       │
│ /srv/app/loader.py:8 in load                              │
╰───────────────────────────────────────────────────────────╯
ConfigError: no section 'db'
""",
        [("srv/app/loader.py", 8, "load"), ("srv/app/cli.py", 31, "main")],
        "ConfigError",
    ),
    "pytest": (
        """
tests/test_client.py:44: in test_retry
    client.get("/")
src/pkg/client.py:120: in get
    raise Timeout(url)
E   pkg.errors.Timeout: http://x
""",
        [("src/pkg/client.py", 120, "get"), ("tests/test_client.py", 44, "test_retry")],
        "Timeout",
    ),
    "v8": (
        """
TypeError: Cannot read properties of undefined (reading 'id')
    at Store.find (/app/src/store/index.ts:21:13)
    at async handle (webpack:///./src/api/users.js:9:3)
    at /app/node_modules/express/lib/router/layer.js:95:5
    at node:internal/main/run_main_module:23:47
""",
        [
            ("src/store/index.ts", 21, "Store.find"),
            ("src/api/users.js", 9, "handle"),
            ("express/lib/router/layer.js", 95, ""),
            ("run_main_module", 23, ""),
        ],
        "Cannot read properties",
    ),
    "firefox": (
        """
Error: no element
findNode@http://localhost:8080/src/dom/tree.js:14:9
render/<@http://localhost:8080/src/dom/render.js:88:21
""",
        [("src/dom/tree.js", 14, "findNode"), ("src/dom/render.js", 88, "render")],
        "no element",
    ),
    "java": (
        """
Exception in thread "main" org.acme.shop.CartException: cart is empty
	at org.acme.shop.Cart.checkout(Cart.java:77)
	at org.acme.shop.web.CartController$Inner.post(CartController.java:31)
	at java.base/java.lang.Thread.run(Thread.java:833)
""",
        [
            ("org/acme/shop/Cart.java", 77, "Cart.checkout"),
            ("org/acme/shop/web/CartController.java", 31, "Inner.post"),
            ("java/lang/Thread.java", 833, "Thread.run"),
        ],
        "cart is empty",
    ),
    "kotlin": (
        """
kotlin.KotlinNullPointerException
	at io.acme.engine.HttpEngineKt.open(HttpEngine.kt:40)
""",
        [("io/acme/engine/HttpEngine.kt", 40, "HttpEngineKt.open")],
        "KotlinNullPointerException",
    ),
    "go": (
        """
panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x1]

goroutine 1 [running]:
github.com/acme/tool/pkg/cache.(*Cache).Get(0xc000010000, {0x1, 0x2})
	/home/ci/go/src/tool/pkg/cache/cache.go:52 +0x1d
main.main()
	/home/ci/go/src/tool/main.go:10 +0x20
""",
        [("go/src/tool/pkg/cache/cache.go", 52, "Cache.Get"), ("go/src/tool/main.go", 10, "main.main")],
        "invalid memory address",
    ),
    "rust": (
        """
thread 'main' panicked at src/parser.rs:30:9:
unexpected token `;`
stack backtrace:
   0: rust_begin_unwind
             at /rustc/a55dd71/library/std/src/panicking.rs:584:5
   1: mytool::parser::Parser::expect
             at ./src/parser.rs:30:9
   2: mytool::main
             at ./src/main.rs:5:1
""",
        [
            ("src/parser.rs", 30, ""),
            ("panicking.rs", 584, ""),
            ("src/parser.rs", 30, "Parser.expect"),
            ("src/main.rs", 5, "mytool.main"),
        ],
        "unexpected token",
    ),
    "csharp": (
        """
System.InvalidOperationException: Sequence contains no elements
   at System.Linq.ThrowHelper.ThrowNoElementsException()
   at Acme.Billing.Invoice.Total(Int32 id) in C:\\src\\Acme.Billing\\Invoice.cs:line 42
""",
        [
            ("", None, "ThrowHelper.ThrowNoElementsException"),
            ("src/Acme.Billing/Invoice.cs", 42, "Invoice.Total"),
        ],
        "no elements",
    ),
    "ruby": (
        """
/app/lib/mailer/queue.rb:18:in `push': undefined method `size' for nil:NilClass (NoMethodError)
	from /app/lib/mailer.rb:7:in `block in deliver'
	from /usr/local/bundle/gems/rake-13.0.6/lib/rake/task.rb:281:in `call'
""",
        [
            ("lib/mailer/queue.rb", 18, "push"),
            ("lib/mailer.rb", 7, "deliver"),
            ("lib/rake/task.rb", 281, "call"),
        ],
        None,
    ),
    "php": (
        """
PHP Fatal error:  Uncaught InvalidArgumentException: bad level in /var/www/src/Monolog/Logger.php:210
Stack trace:
#0 /var/www/src/Monolog/Handler/StreamHandler.php(33): Monolog\\Logger->toLevel('x')
#1 {main}
""",
        [
            ("var/www/src/Monolog/Logger.php", 210, ""),
            ("var/www/src/Monolog/Handler/StreamHandler.php", 33, "Logger.toLevel"),
        ],
        None,
    ),
    "gdb": (
        """
#4  0x00007ffff7babe46 in jv_string_implode (j=...) at jv.c:717
#5  0x00007ffff7ba73dd in f_string_implode (jq=<optimized out>, a=...) at builtin.c:969
""",
        [("jv.c", 717, "jv_string_implode"), ("builtin.c", 969, "f_string_implode")],
        None,
    ),
    "sanitizer": (
        """
==38==ERROR: AddressSanitizer: SEGV on unknown address 0x56137e24ab0e
    #0 0x5613e8af05b8 in decCompare src/dec/dec.c:6257
    #1 0x5613e8b04f7d in order_cmp src/builtin.c:444:12
""",
        [("src/dec/dec.c", 6257, "decCompare"), ("src/builtin.c", 444, "order_cmp")],
        "AddressSanitizer",
    ),
    "elixir": (
        """
** (FunctionClauseError) no function clause matching in Plug.Conn.put_status/2
    (plug 1.14.0) lib/plug/conn.ex:412: Plug.Conn.put_status/2
    (myapp 0.1.0) lib/myapp/router.ex:9: MyApp.Router.call/2
""",
        [("lib/plug/conn.ex", 412, "Conn.put_status"), ("lib/myapp/router.ex", 9, "Router.call")],
        "no function clause",
    ),
    "lua": (
        """
lua: lua/lazy/core/loader.lua:91: attempt to index a nil value (field 'plugin')
stack traceback:
	lua/lazy/core/loader.lua:91: in function 'load'
""",
        [("lua/lazy/core/loader.lua", 91, "load")],
        None,
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_family(family: str) -> None:
    text, frames, error = FAMILIES[family]
    found = scan(text.strip("\n").split("\n"))
    assert [(f.path, f.line, f.symbol) for t in found.traces for f in t.frames] == frames
    if error is not None:
        assert any(error in line for line in found.errors)


def test_chained_python_is_two_traces_each_innermost_first() -> None:
    text = """Traceback (most recent call last):
  File "pkg/low.py", line 3, in read
    open(p)
FileNotFoundError: no such file

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "pkg/top.py", line 9, in main
    load()
  File "pkg/mid.py", line 5, in load
    raise ConfigError(p)
pkg.errors.ConfigError: cannot load"""
    found = scan(text.split("\n"))
    assert [[f.path for f in t.frames] for t in found.traces] == [
        ["pkg/low.py"],
        ["pkg/mid.py", "pkg/top.py"],
    ]
    assert [e.split(":")[0] for e in found.errors] == ["FileNotFoundError", "pkg.errors.ConfigError"]


def test_java_cause_is_a_trace_of_its_own() -> None:
    text = """java.lang.IllegalStateException: outer
	at org.acme.A.run(A.java:1)
	... 12 more
Caused by: org.acme.DbException: inner
	at org.acme.Db.open(Db.java:9)
	... 40 more"""
    found = scan(text.split("\n"))
    assert [[f.path for f in t.frames] for t in found.traces] == [["org/acme/A.java"], ["org/acme/Db.java"]]
    assert found.errors == (
        "java.lang.IllegalStateException: outer",
        "Caused by: org.acme.DbException: inner",
    )


@pytest.mark.parametrize(
    ("line", "path", "number"),
    [
        ("src/core/io.cpp:57:12: error: no matching function for call to 'read'", "src/core/io.cpp", 57),
        ("src/app.ts(12,5): error TS2322: Type 'x' is not assignable", "src/app.ts", 12),
        ("src/app.ts:12:5 - error TS2322: Type 'x' is not assignable", "src/app.ts", 12),
        ("pkg/a.py:7: error: Incompatible types in assignment", "pkg/a.py", 7),
        ("./cmd/run.go:9:2: undefined: Foo", "cmd/run.go", 9),
        ("  --> src/main.rs:22:30", "src/main.rs", 22),
    ],
)
def test_compilers(line: str, path: str, number: int) -> None:
    (trace,) = scan([line]).traces
    assert not trace.ordered
    assert (trace.frames[0].path, trace.frames[0].line) == (path, number)


def test_eslint_lines_belong_to_the_path_above_them() -> None:
    found = scan(
        [
            "/repo/src/rules/indent.js",
            "  12:5  error  Expected 4 spaces  indent",
            "  19:1  warning  Unused  no-unused",
        ]
    )
    assert [(f.path, f.line) for t in found.traces for f in t.frames] == [
        ("repo/src/rules/indent.js", 12),
        ("repo/src/rules/indent.js", 19),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "I looked at the file and in the end it failed.",
        "at the end (really) we stop",
        "Result: 12:30",
        "see foo(bar)",
    ],
)
def test_prose_is_no_trace(line: str) -> None:
    assert scan([line]).kinds == ("",)
