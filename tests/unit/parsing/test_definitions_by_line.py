# ruff: noqa: E501 (sources as they stand)
"""What languages define that have patterns of their own in place of a grammar: names, kinds, spans and parents."""

import pytest

from zeroin.parsing.analyse import analyse

WHOLE: list[tuple[str, str, list[tuple[str, str, int, int, str]]]] = [
    ("objc", "#import <F/F.h>\n@class B;\n@protocol Later;\n@interface A () <B> {\n  int x;\n}\n"
     "@property(nonatomic) C* tab;\n@end\n\n@implementation A\n- (id)initWith:(T*)t path:(P*)p\n{\n"
     "  return self;\n}\n\nstatic void inner(void)\n{\n}\n\n// says\n+ (void)reset { }\n@end\n",
     [("A", "interface", 4, 8, ""), ("tab", "property", 7, 7, "A"),
      ("A", "implementation", 10, 22, ""), ("initWith", "function", 11, 14, "A"), ("inner", "function", 16, 18, "A"),
      ("reset", "function", 21, 21, "A")]),
    ("coffee", "class A extends B\n  constructor: (@a) ->\n    @b = 1\n  # says\n  run: (x, y = {}) =>\n    z = x\n\n"
     "exports.f = (a) -> a\nb = -> 1\nc = 'd -> e'\n",
     [("A", "class", 1, 6, ""), ("constructor", "function", 2, 3, "A"), ("run", "function", 5, 6, "A"),
      ("f", "function", 8, 8, ""), ("b", "function", 9, 9, "")]),
    ("qml", "Item {\n  id: root\n  property alias tab: b.c\n  readonly property int n: 3\n  signal done(int x)\n"
     "  function f(x) {\n    return x\n  }\n}\n",
     [("root", "property", 2, 2, ""), ("tab", "property", 3, 3, ""), ("n", "property", 4, 4, ""),
      ("done", "signal", 5, 5, ""), ("f", "function", 6, 8, "")]),
    ("vala", "namespace N {\n  public class A : B {\n    public signal void changed (int x);\n    public A (int x) {\n"
     "      g (x);\n    }\n    public override async bool run (string s) throws Error {\n      return x.y (s);\n"
     "    }\n  }\n}\n",
     [("N", "namespace", 1, 11, ""), ("A", "class", 2, 10, "N"), ("changed", "signal", 3, 3, "A"),
      ("A", "function", 4, 6, "A"), ("run", "function", 7, 9, "A")]),
    ("gleam", "pub opaque type A {\n  A(Int)\n}\n\n/// says\npub fn f(x: Int) -> Int {\n  x\n}\n\nconst c = 1\n",
     [("A", "type", 1, 3, ""), ("f", "function", 6, 8, ""), ("c", "const", 10, 10, "")]),
    ("haxe", "package a;\n@:keep class A extends B {\n  public var x:Int;\n  public function new() {\n    super();\n  }\n"
     "  override static function f(x:Int):Void {}\n}\nenum abstract E(Int) {}\ntypedef T = {a:Int}\n",
     [("A", "class", 2, 8, ""), ("new", "function", 4, 6, "A"), ("f", "function", 7, 7, "A"),
      ("E", "enum", 9, 9, ""), ("T", "type", 10, 10, "")]),
    ("odin", "package a\n\nE :: enum {\n  A,\n}\n\nf :: proc(x: int) -> int {\n  return x\n}\n\nN :: 3\n",
     [("E", "enum", 3, 5, ""), ("f", "function", 7, 9, "")]),
    ("nushell", "# says\nexport def \"a b\" [\n  x: int\n] {\n  $x\n}\n\nalias c = d\n",
     [("a b", "function", 2, 6, ""), ("c", "alias", 8, 8, "")]),
    ("rescript", "module A = {\n  @val external f: int => int = \"f\"\n  let g = x => {\n    let y = x\n    y\n  }\n}\n"
     "type rec t = B\n",
     [("A", "module", 1, 7, ""), ("f", "external", 2, 2, "A"), ("g", "let", 3, 6, "A"), ("t", "type", 8, 8, "")]),
    ("lean", "namespace A\n\n/-- says def no -/\n@[simp] theorem a_b (n : Nat) : n = n := by\n  rfl\n\n"
     "private def f (x : Nat) :=\n  x\n",
     [("A", "namespace", 1, 1, ""), ("a_b", "theorem", 4, 5, ""), ("f", "function", 7, 8, "")]),
    ("coq", "Section A.\nLemma b : forall x, x = x.\nProof.\n  auto.\nQed.\n\n(* says Definition no *)\n"
     "Definition f (x: nat) :=\n  x.\n",
     [("A", "section", 1, 1, ""), ("b", "lemma", 2, 5, ""), ("f", "definition", 8, 9, "")]),
    ("rego", "package a.b\n\nimport c\n\ndefault allow = false\n\n# says\nallow {\n  input.x\n}\n\nf(x) = y {\n  y := x\n"
     "}\n\nviolation[{\"msg\": m}] {\n  m := 1\n}\n",
     [("a.b", "package", 1, 1, ""), ("allow", "rule", 5, 5, ""), ("allow", "rule", 8, 10, ""),
      ("f", "rule", 12, 14, ""), ("violation", "rule", 16, 18, "")]),
    ("jsonnet", "local f(x) = x;\n\n{\n  // says\n  conf+:: {\n    b: 1,\n  },\n}\n",
     [("f", "field", 1, 1, ""), ("conf", "field", 5, 7, "")]),
    ("bicep", "param name string = 'b'\nresource c 'd@1' = {\n  name: name\n}\noutput e string = c.id\n",
     [("name", "param", 1, 1, ""), ("c", "resource", 2, 4, ""), ("e", "output", 5, 5, "")]),
    ("prisma", "model A {\n  id Int @id\n}\n\nenum B {\n  C\n}\n",
     [("A", "model", 1, 3, ""), ("B", "enum", 5, 7, "")]),
    ("puppet", "# says\nclass a::b (\n  String $c = 'd',\n) {\n  file { 'e':\n    ensure => present,\n  }\n}\n",
     [("a::b", "class", 2, 8, "")]),
    ("raku", "unit class A::B;\n\nhas $.c;\n\nmulti method f(Int $x) {\n  $x\n}\n\ntoken t { x }\n",
     [("A::B", "class", 1, 3, ""), ("f", "method", 5, 7, ""), ("t", "token", 9, 9, "")]),
    ("matlab", "% says function no\nfunction [a, b] = f(x)\na = x;\nend\n\nfunction g\nend\n",
     [("f", "function", 2, 4, ""), ("g", "function", 6, 7, "")]),
    ("yacc", "%{\nstatic int h(int a)\n{\n  return a;\n}\n%}\n%%\nprogram:\n  stmt\n  ;\nstmt : NAME ;\n%%\n",
     [("h", "function", 2, 5, ""), ("program", "rule", 8, 10, ""), ("stmt", "rule", 11, 12, "")]),
    ("templ", "package a\n\ntempl button(text string) {\n  <button>{ text }</button>\n}\n",
     [("button", "function", 3, 5, "")]),
    ("dart", "@immutable\nabstract base class A<T> extends B {\n  const A({required this.x, this.y = 1});\n"
     "  A.named(this.x);\n  factory A.of(C c) => A(c);\n\n  final int x;\n\n  int get n => x;\n  set n(int v) {\n"
     "    x = v;\n  }\n\n  // says\n  Future<List<T>> load(\n    String s, {\n    int? b,\n  }) async {\n"
     "    await other(s);\n    return run(b);\n  }\n\n  @override\n  bool operator ==(Object o) => true;\n}\n\n"
     "extension on String {}\nvoid main() => runApp(A(x: 1));\n",
     [("A", "class", 2, 25, ""), ("A", "function", 3, 3, "A"), ("A.named", "function", 4, 4, "A"),
      ("A.of", "function", 5, 5, "A"), ("n", "function", 9, 9, "A"), ("n", "function", 10, 12, "A"),
      ("load", "function", 15, 21, "A"), ("==", "function", 24, 24, "A"), ("main", "function", 28, 28, "")]),
    ("julia", "@inline f(x::Int; y=g(1)) = x + y\n\nBase.show(io::IO, a::A) =\n    print(io, a)\n\n\"\"\"\ndoc\n\"\"\"\n"
     "mutable struct A{T}\n    x::T\nend\nfunction h!(x) where T\n    y = 1\nend\nz == f(1)\n",
     [("f", "function", 1, 1, ""), ("Base.show", "function", 3, 4, ""), ("A", "struct", 9, 11, ""),
      ("h!", "function", 12, 14, "")]),
    ("nim", "type\n  A* = ref object\n    x: int\n\niterator items*(a: A): int =\n  yield 1\n\n"
     "converter `toB`(a: A): B = discard\n",
     [("A", "type", 2, 3, ""), ("items", "iterator", 5, 6, ""), ("toB", "converter", 8, 8, "")]),
    ("batch", "@echo off\ngoto end\n:: says\n:build\ncall x\n:end\n",
     [("build", "label", 4, 5, ""), ("end", "label", 6, 6, "")]),
    ("dockerfile", "FROM a AS build\nRUN x\nFROM b\nCOPY --from=build c d\n",
     [("build", "stage", 1, 4, "")]),
    ("yacc", "program(A) ::= stmt(B). { A = B; }\nstmt ::= NAME.\n",
     [("program", "rule", 1, 1, ""), ("stmt", "rule", 2, 2, "")]),
    ("objc", "#import \"p.h\"\nvoid platform::init()\n{\n  f();\n}\n",
     [("init", "function", 2, 5, "")]),
    ("erlang", "-module(a).\n-type t() :: atom().\n-opaque u(X) :: [X].\n-record(r, {x}).\n-define(M, 1).\n-export([f/1]).\n"
     "\n%% says\nf(X) ->\n    g(X).\n",
     [("t", "type", 2, 2, ""), ("u", "opaque", 3, 3, ""), ("r", "record", 4, 4, ""), ("M", "define", 5, 5, ""),
      ("f", "function", 9, 10, "")]),
    ("ocaml", "type 'a t = A\nand (+'a, 'b) u = { x : 'a }\n\nval f : int -> int\n\nlet rec g x =\n  let y = x in\n  y\n"
     "and h = 1\n\nmodule type M = sig\n  val open_ : t\nend\nlet open M in ()\nexternal e : int -> int = \"e\"\n",
     [("t", "type", 1, 1, ""), ("u", "type", 2, 2, ""), ("f", "val", 4, 4, ""), ("g", "let", 6, 8, ""), ("h", "let", 9, 9, ""),
      ("M", "module", 11, 13, ""), ("open_", "val", 12, 12, "M"), ("e", "external", 15, 15, "")]),
    ("fsharp", "module rec A.B\n\n[<Struct>]\ntype private R =\n  { X: int }\n  member inline this.Run(x) =\n    let y = x\n"
     "    y\n  static member Of x = x\n\nlet inline private f x =\n  x\n\nlet (|Even|Odd|) x = Even\n"
     "exception E of string\n",
     [("A.B", "module", 1, 1, ""), ("R", "type", 4, 9, ""), ("Run", "method", 6, 8, "R"),
      ("Of", "method", 9, 9, "R"), ("f", "let", 11, 12, ""), ("(|Even|Odd|)", "let", 14, 14, ""),
      ("E", "exception", 15, 15, "")]),
    # Calls, control flow, comments and what is only declared define nothing.
    ("dart", "void main() {\n  WidgetsFlutterBinding.ensureInitialized();\n  runApp(const App());\n}\n\nclass _Box {\n"
     "  const _Box({\n    required this.n,\n  });\n  _Box.of(this.n) : m = 1;\n\n  void Function()? x;\n\n"
     "  build(BuildContext c) {\n    Navigator.pop(c);\n    return [\n      MapEntry(\n        1,\n      ),\n"
     "    ];\n  }\n\n  _run() async {\n    if (x) {\n    }\n  }\n}\n\ntypedef void Old(int x);\n",
     [("main", "function", 1, 4, ""), ("_Box", "class", 6, 27, ""), ("_Box", "function", 7, 9, "_Box"),
      ("_Box.of", "function", 10, 10, "_Box"), ("build", "function", 14, 21, "_Box"),
      ("_run", "function", 23, 26, "_Box"), ("Old", "type", 29, 29, "")]),
    ("vala", "class A {\n  public string name { get; set; }\n  void run () {\n    var w =\n      new Gtk.Label (\"x\");\n"
     "    return f (w);\n  }\n}\n",
     [("A", "class", 1, 8, ""), ("name", "function", 2, 2, "A"), ("run", "function", 3, 7, "A")]),
    ("objc", "typedef NS_ENUM(NSInteger, Kind) {\n  KindOne,\n};\ntypedef void (^Done)(BOOL ok);\n@interface A : B\n"
     "@property (nonatomic) UIColor *tint UI_APPEARANCE_SELECTOR;\n@property (copy) void (^block)(int);\n@end\n",
     [("Kind", "function", 1, 3, ""), ("Done", "type", 4, 4, ""), ("A", "interface", 5, 8, ""),
      ("tint", "property", 6, 6, "A"), ("block", "property", 7, 7, "A")]),
    ("coffee", "result = items.filter (x) -> x\nt = setTimeout -> 1\nf = (a, b = 'x') -> a\n###\ng = -> 1\n###\n",
     [("f", "function", 3, 3, "")]),
    ("ocaml", "let long\n    (x : int)\n    y =\n  x + y\n\nlet f' x = x\nlet return x = x\nlet[@inline] g x = x\n"
     "type _ t = A\nlet _ = run ()\n",
     [("long", "let", 1, 4, ""), ("f'", "let", 6, 6, ""), ("return", "let", 7, 7, ""), ("g", "let", 8, 8, ""),
      ("t", "type", 9, 10, "")]),
    ("julia", "(m::Dense)(x) = m.w * x\n\nfunction (m::Dense)(x)\n    x\nend\n\nBase.:+(p::V, q) = q\n\ng(x) =\n    x\n\n"
     "@testset \"a\" begin\n    g(1)\nend\nfunction Base.:(==)(p, q)\n    true\nend\n",
     [("Dense", "function", 3, 5, ""), ("+", "function", 7, 7, ""), ("g", "function", 9, 10, ""),
      ("==", "function", 15, 17, "")]),
    ("matlab", "function [p, ...\n          q] = f(x)\nfprintf('100%% of %d\\n', count(x));\n%{\nfunction h\n%}\ny = x';\n"
     "end\n",
     [("f", "function", 1, 8, "")]),
    ("nim", "type Foo* = object\n  x: int\n#[\nproc no() = discard\n]#\nproc with*(f: Foo) = discard\n",
     [("Foo", "type", 1, 2, ""), ("with", "function", 6, 6, "")]),
    ("d", "version (X)\n{\n  int f(int x)\n  {\n    return x;\n  }\n}\nelse version (Y)\n{\n}\n",
     [("f", "function", 3, 6, "")]),
    ("fsharp", "type [<Struct>] S = { X: int }\n\nlet (>=>) f g = f\n\nlet long\n  (x: int)\n  =\n  x\n\ntype T =\n  | A\n"
     "and U =\n  static member inline (+) (l, r) = l\n",
     [("S", "type", 1, 1, ""), ("(>=>)", "let", 3, 3, ""), ("long", "let", 5, 8, ""), ("T", "type", 10, 11, ""),
      ("U", "type", 12, 13, ""), ("(+)", "method", 13, 13, "U")]),
    ("odin", "@(private)\nf :: proc() {\n}\n\nforeign lib {\n  @(link_name=\"g\") g :: proc(x: int) ---\n}\n",
     [("f", "function", 2, 3, ""), ("g", "function", 6, 7, "")]),
    ("puppet", "node 'web.example.com' {\n  include nginx\n}\n",
     [("web.example.com", "node", 1, 3, "")]),
    ("yacc", "%%\nstmt: NAME\n  { switch (x) {\ndefault: f();\n  } }\n  ;\n",
     [("stmt", "rule", 2, 6, "")]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "expected"), WHOLE)
def test_patterns_define_this_and_nothing_else(
    language: str, source: str, expected: list[tuple[str, str, int, int, str]]
) -> None:
    found = analyse(source.encode(), language).definitions
    assert [(d.name, d.kind, d.start, d.end, d.parent) for d in found] == expected
