# ruff: noqa: E501 (sources as they stand)
"""What each language defines: names, kinds, spans and parents."""

import subprocess
import sys

import pytest

from zeroin.parsing.analyse import analyse
from zeroin.parsing.grammars import GRAMMAR_LANGUAGES

# language → source, and what must be among its definitions: (name, kind, first line, last line, parent)
CASES: dict[str, tuple[str, list[tuple[str, str, int, int, str]]]] = {
    "python": (
        '@decorated\ndef top(a):\n    """Doc."""\n    return a\n\nclass A(B):\n    async def m(self): ...\nLIMIT = 3\n',
        [("top", "function", 1, 4, ""), ("A", "class", 6, 7, ""), ("m", "method", 7, 7, "A"), ("LIMIT", "constant", 8, 8, "")],
    ),
    "javascript": (
        "export const f = async (a) => {\n  return a;\n};\nclass A {\n  m() {}\n}\nmodule.exports.g = function () {};\n",
        [("f", "function", 1, 3, ""), ("A", "class", 4, 6, ""), ("m", "method", 5, 5, "A"), ("g", "function", 7, 7, "")],
    ),
    "typescript": (
        "export interface I {\n  m(a: string): void;\n}\ntype T = I;\nenum E { A }\nnamespace N {\n  export abstract class C {}\n}\n",
        [("I", "interface", 1, 3, ""), ("m", "method", 2, 2, "I"), ("T", "type", 4, 4, ""), ("E", "enum", 5, 5, ""),
         ("C", "class", 7, 7, "N")],
    ),
    "tsx": ("export const View = () => <div>x</div>;\n", [("View", "function", 1, 1, "")]),
    "go": (
        "package p\n\ntype S struct {\n\ta int\n}\n\nfunc (s *S[T]) M() {\n}\n\nfunc F() {}\n\nconst K = 1\n",
        [("p", "package", 1, 1, ""), ("S", "struct", 3, 5, ""), ("M", "method", 7, 8, "S"), ("F", "function", 10, 10, ""),
         ("K", "constant", 12, 12, "")],
    ),
    "rust": (
        "pub struct S;\nimpl<T> Tr for S {\n    fn m(&self) {}\n}\ntrait Tr { fn m(&self); }\nmod inner { fn f() {} }\n"
        "macro_rules! mac { () => {} }\n",
        [("S", "struct", 1, 1, ""), ("m", "method", 3, 3, "S"), ("Tr", "trait", 5, 5, ""), ("m", "method", 5, 5, "Tr"),
         ("inner", "module", 6, 6, ""), ("f", "function", 6, 6, "inner"), ("mac", "macro", 7, 7, "")],
    ),
    "java": (
        "package a.b;\n@X\npublic class C {\n  C() {}\n  int m() { return 1; }\n  static final int K = 1;\n}\nrecord R(int a) {}\n",
        [("a.b", "package", 1, 1, ""), ("C", "class", 2, 7, ""), ("C", "constructor", 4, 4, "C"), ("m", "method", 5, 5, "C"),
         ("K", "constant", 6, 6, "C"), ("R", "record", 8, 8, "")],
    ),
    "kotlin": (
        "package a.b\n\nclass C(val x: Int) {\n    fun m() = 1\n}\n\nobject O\n\nfun String.ext() {\n}\n",
        [("a.b", "package", 1, 1, ""), ("C", "class", 3, 5, ""), ("m", "method", 4, 4, "C"), ("O", "object", 7, 7, ""),
         ("ext", "function", 9, 10, "")],
    ),
    "scala": (
        "package a.b\ntrait T { def m: Int }\nobject O {\n  def f(x: Int): Int = x\n}\ncase class C(x: Int)\n",
        [("a.b", "package", 1, 1, ""), ("T", "trait", 2, 2, ""), ("m", "method", 2, 2, "T"), ("f", "method", 4, 4, "O"),
         ("C", "class", 6, 6, "")],
    ),
    "c": (
        "#define MAX 1\ntypedef struct foo { int a; } foo_t;\nint proto(int a);\nstatic int *f(int a)\n{\n  return 0;\n}\n"
        "TEST_IMPL(works) {\n}\n",
        [("MAX", "macro", 1, 1, ""), ("foo", "struct", 2, 2, ""), ("foo_t", "type", 2, 2, ""),
         ("proto", "declaration", 3, 3, ""), ("f", "function", 4, 7, ""), ("works", "function", 8, 9, "")],
    ),
    "cpp": (
        "namespace n {\ntemplate <class T>\nclass A {\n  void m() const;\n};\n}\nvoid A::m() const {\n}\nTEST(Suite, Case) {\n}\n",
        [("n", "namespace", 1, 6, ""), ("A", "class", 2, 5, "n"), ("m", "method", 4, 4, "A"), ("m", "method", 7, 8, "A"),
         ("Case", "function", 9, 10, "Suite")],
    ),
    "csharp": (
        "namespace N.M;\npublic class C {\n  public int P { get; set; }\n  C() {}\n  void F() {}\n}\ninterface I {}\n",
        [("N.M", "namespace", 1, 1, ""), ("C", "class", 2, 6, ""), ("P", "property", 3, 3, "C"), ("F", "method", 5, 5, "C"),
         ("I", "interface", 7, 7, "")],
    ),
    "ruby": (
        "module A\n  class B < C\n    def m?; end\n    def self.s\n    end\n    K = 1\n    attr_reader :r\n  end\nend\n",
        [("A", "module", 1, 9, ""), ("B", "class", 2, 8, "A"), ("m?", "method", 3, 3, "B"), ("s", "method", 4, 5, "B"),
         ("K", "constant", 6, 6, "B"), ("r", "property", 7, 7, "B")],
    ),
    "php": (
        "<?php\nnamespace A\\B;\nclass C {\n  const K = 1;\n  function m() {}\n}\nfunction f() {}\ntrait T {}\n",
        [("A\\B", "namespace", 2, 2, ""), ("C", "class", 3, 6, ""), ("K", "constant", 4, 4, "C"), ("m", "method", 5, 5, "C"),
         ("f", "function", 7, 7, ""), ("T", "trait", 8, 8, "")],
    ),
    "swift": (
        "protocol P { func f() }\nstruct S {\n  init() {}\n  func m() {}\n}\nextension S {\n  func e() {}\n}\n",
        [("P", "protocol", 1, 1, ""), ("f", "method", 1, 1, "P"), ("S", "struct", 2, 5, ""), ("init", "constructor", 3, 3, "S"),
         ("m", "method", 4, 4, "S"), ("S", "extension", 6, 8, ""), ("e", "method", 7, 7, "S")],
    ),
    "elixir": (
        "defmodule A.B do\n  def f(0), do: 1\n  def f(x) when x > 1 do\n    x\n  end\n  defp g, do: 1\n  defmacro m(x) do\n  end\n"
        "  defmodule C do\n  end\nend\n",
        [("A.B", "module", 1, 11, ""), ("f", "function", 2, 5, "A.B"), ("g", "function", 6, 6, "A.B"), ("m", "macro", 7, 8, "A.B"),
         ("A.B.C", "module", 9, 10, "A.B")],
    ),
    "haskell": (
        "module A.B where\ndata T = X | Y { fld :: Int }\nclass C a where\n  meth :: a -> Int\nfoo :: Int -> Int\nfoo 0 = 1\nfoo n = n\n",
        [("A.B", "module", 1, 1, ""), ("T", "type", 2, 2, ""), ("fld", "field", 2, 2, "Y"), ("meth", "method", 4, 4, "C"),
         ("foo", "function", 5, 7, "")],
    ),
    "lua": (
        "local M = {}\nfunction M.f(a)\nend\nfunction M:g() end\nM.h = function() end\nlocal function l() end\n",
        [("f", "function", 2, 3, "M"), ("g", "method", 4, 4, "M"), ("h", "function", 5, 5, "M"), ("l", "function", 6, 6, "")],
    ),
    "bash": ("f() {\n  :\n}\nfunction g {\n  :\n}\nLIMIT=1\n",
             [("f", "function", 1, 3, ""), ("g", "function", 4, 6, ""), ("LIMIT", "constant", 7, 7, "")]),
    "zig": (
        "pub const S = struct {\n    pub fn m() void {}\n};\nfn f() void {}\nconst E = enum { a };\n",
        [("S", "struct", 1, 3, ""), ("m", "method", 2, 2, "S"), ("f", "function", 4, 4, ""), ("E", "enum", 5, 5, "")],
    ),
    "vue": ("<template><p/></template>\n<script setup lang=\"ts\">\nconst f = (a: string) => a\n</script>\n",
            [("f", "function", 3, 3, "")]),
    "svelte": ("<script>\n  export function f() {}\n</script>\n<p>x</p>\n", [("f", "function", 2, 2, "")]),
    "sql": ("CREATE TABLE IF NOT EXISTS users (\n  id int\n);\ncreate or replace function f() returns int as $$\n$$;\n",
            [("users", "table", 1, 3, ""), ("f", "function", 4, 5, "")]),
    "protobuf": ("message M {\n  enum E { A = 0; }\n}\nservice S {\n  rpc Get(M) returns (M);\n}\n",
                 [("M", "message", 1, 3, ""), ("Get", "rpc", 5, 5, "S")]),
    "hcl": ('resource "aws_x" "main" {\n}\nvariable "v" {\n}\n',
            [("main", "resource", 1, 2, "aws_x"), ("v", "variable", 3, 4, "")]),
    "yaml": ("on: push\njobs:\n  build:\n    steps: []\n", [("jobs", "key", 2, 4, ""), ("build", "key", 3, 4, "jobs")]),
    "toml": ("[tool.x]\na = 1\n[b]\n", [("tool.x", "section", 1, 2, ""), ("a", "key", 2, 2, "tool.x")]),
    "json": ('{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}\n', [("a", "key", 2, 4, ""), ("b", "key", 3, 4, "a")]),
    "markdown": ("# A\n\ntext\n\n## B\n```\n# no\n```\nC\n===\n",
                 [("A", "section", 1, 8, ""), ("B", "section", 5, 8, "A"), ("C", "section", 9, 10, "")]),
    "rst": ("A\n=\n\nTitle\n=====\n\nPart\n----\ntext\n", [("Title", "section", 4, 9, ""), ("Part", "section", 7, 9, "Title")]),
    "html": ('<div id="main"></div>\n', [("main", "id", 1, 1, "")]),
    "css": (".button:hover,\n#top { color: red }\n@mixin big { }\n",
            [(".button", "selector", 1, 1, ""), ("big", "mixin", 3, 3, "")]),
    "perl": ("sub f {\n}\npackage A::B;\n", [("f", "function", 1, 2, ""), ("A::B", "package", 3, 3, "")]),
    "lisp": ("(defun f (x)\n  x)\n", [("f", "defun", 1, 2, "")]),
    "erlang": ("-module(m).\nf(X) -> X.\n", [("m", "module", 1, 1, ""), ("f", "function", 2, 2, "")]),
    "r": ("f <- function(x) {\n}\n", [("f", "function", 1, 2, "")]),
    "make": ("all: x\n\techo\n", [("all", "target", 1, 2, "")]),
    "dart": ("class A {\n  int f(int a) {\n  }\n}\n", [("A", "class", 1, 4, ""), ("f", "function", 2, 3, "A")]),
}  # fmt: skip


@pytest.mark.parametrize("language", CASES)
def test_defines(language: str) -> None:
    source, expected = CASES[language]
    facts = analyse(source.encode(), language)
    found = [(d.name, d.kind, d.start, d.end, d.parent) for d in facts.definitions]
    assert [e for e in expected if e not in found] == [], found
    if language in (*GRAMMAR_LANGUAGES, "vue", "svelte"):
        assert facts.parser == "tree-sitter"


# All definitions of a source, in order.
WHOLE: list[tuple[str, str, list[tuple[str, str, int, int, str]]]] = [
    ("cpp", "template <>\nstruct std::hash<A> {\n  int operator()(A a) const;\n};\n",
     [("hash", "struct", 1, 4, ""), ("operator()", "method", 3, 3, "hash")]),
    ("pascal", "type\n  TA = class\n    { of unit B }\n  private\n    class function Make: TA;\n  end;\nprocedure TA.Go;\nbegin\n"
     "end;\n\n// last\n", [("TA", "class", 2, 6, ""), ("Make", "function", 5, 5, "TA"), ("TA.Go", "function", 7, 9, "")]),
    # The grammar fails at `throws(E)`, and lines are read around it.
    ("swift", "class A {\n  func m() throws(E) -> (any P)? { if let x { } ; return nil }\n  class func f() {}\n"
     "  class var v: Int { 1 }\n}\n",
     [("A", "class", 1, 5, ""), ("m", "method", 2, 2, "A"), ("f", "method", 3, 3, "A"), ("v", "property", 4, 4, "A")]),
    # A prime is part of a name, though of no word, so `go'` is another function; names of one signature are neighbours.
    ("haskell", "go :: Int\ngo = 1\ngo' :: Int\ngo' = 2\na, b :: Int\n",
     [("go", "function", 1, 2, ""), ("go", "function", 3, 4, ""), ("a", "function", 5, 5, ""), ("b", "function", 5, 5, "")]),
    ("haskell", "class C a where\n  p, q :: a\n",
     [("C", "class", 1, 2, ""), ("p", "method", 2, 2, "C"), ("q", "method", 2, 2, "C")]),
    ("java", "class C {\n  private final static int K = 1;\n}\n", [("C", "class", 1, 3, ""), ("K", "constant", 2, 2, "C")]),
    ("lua", "local required = {}\nlocal M = {\n  f = function() return require('x') end,\n}\nlocal json = require('json')\n"
     "local ok, m = pcall(require, 'm')\n",
     [("required", "variable", 1, 1, ""), ("M", "variable", 2, 4, ""), ("f", "method", 3, 3, "M")]),
    ("rust", "impl T for &S {\n  fn m() {}\n}\nimpl dyn T {\n  fn d() {}\n}\n",
     [("m", "method", 2, 2, "S"), ("d", "method", 5, 5, "T")]),
    ("swift", "struct V {\n  static func + (l: V, r: V) -> V {\n    l\n  }\n  subscript(i: Int) -> Int { 1 }\n  deinit {\n  }\n}\n"
     "func <+> (a: V, b: V) -> V { a }\nextension [Int] {\n  func m() {}\n}\n",
     [("V", "struct", 1, 8, ""), ("+", "method", 2, 4, "V"), ("subscript", "method", 5, 5, "V"), ("deinit", "method", 6, 7, "V"),
      ("<+>", "function", 9, 9, ""), ("[Int]", "extension", 10, 12, ""), ("m", "method", 11, 11, "[Int]")]),
    ("csharp", "class K(int a) : B(a) {\n  public static K operator +(K a, K b) {\n    return a;\n  }\n"
     "  public static implicit operator int(K k) => 1;\n  public int this[int i] {\n    get => 1;\n  }\n}\nrecord R(int A);\n",
     [("K", "class", 1, 9, ""), ("operator +", "method", 2, 4, "K"), ("operator int", "method", 5, 5, "K"),
      ("this[]", "property", 6, 8, "K"), ("R", "record", 10, 10, "")]),
    # An extension block of C# 14 is no constructor: what it holds are methods of the class around it.
    ("csharp", "static class E {\n  extension(string s) {\n    public int Words() {\n      return 1;\n    }\n  }\n}\n",
     [("E", "class", 1, 7, ""), ("Words", "method", 3, 5, "E")]),
    # A header's guard is around all of it; what is declared below `#if` in a function is local.
    ("c", "#ifndef A_H\nint a = 1;\n#if X\nstatic int b[2];\nint f(void) {\n#ifdef Y\n  int local = 2;\n#endif\n  return 0;\n}\n"
     "#else\nint c;\n#endif\n#endif\nextern \"C\" {\nint d = 1;\n}\n",
     [("a", "variable", 2, 2, ""), ("b", "variable", 4, 4, ""), ("f", "function", 5, 10, ""), ("c", "variable", 12, 12, ""),
      ("d", "variable", 16, 16, "")]),
    ("cpp", "module;\nexport module foo.bar;\nimport std;\nexport import other.thing;\nint important = 1;\nnamespace n {\n"
     "#ifdef X\nint q = 3;\n#endif\n}\n",
     [("important", "variable", 5, 5, ""), ("n", "namespace", 6, 10, ""), ("q", "variable", 8, 8, "n")]),
    # Front matter has no heading but the title; a rule and a heading below text are none.
    ("markdown", "---\ntitle: 'To start'\ntags: a\n---\n\nB\n---\ntext\n",
     [("To start", "section", 2, 8, ""), ("B", "section", 6, 8, "To start")]),
    ("markdown", "+++\ntitle = \"A\"\nb = 1\n+++\n", [("A", "section", 2, 4, "")]),
    ("markdown", "---\n\nA\n---\ntext\n", [("A", "section", 3, 5, "")]),
    # A rule for a medium is no selector; a variable of Less is defined like one.
    ("css", "@brand: #fff;\n@media (x) {\n  .c {\n    d: e;\n  }\n}\n@font-face { a: b }\n",
     [("@brand", "variable", 1, 1, ""), (".c", "selector", 3, 5, "")]),
    ("css", ":root {\n  --gap: 1px;\n}\n.a {\n  $b: 1;\n  .c { d: e }\n}\n",
     [("--gap", "variable", 2, 2, ""), (".a", "selector", 4, 7, ""), ("$b", "variable", 5, 5, ".a"), (".c", "selector", 6, 6, ".a")]),
    ("perl", "package A;\n\n=head1 NAME\n\nsub of\n\n=cut\n\nsub f {\n}\n\n=pod\n\nsub g\n\n=cut\n\nsub h { 1 }\n__END__\n\nsub i\n",
     [("A", "package", 1, 1, ""), ("f", "function", 9, 10, ""), ("h", "function", 18, 18, "")]),
    # The comment above a definition is no part of the one before it; a statement ends on its line.
    ("protobuf", "package a.b;\n\nmessage M {\n  string a = 1;\n}\n\n// What N is.\nmessage N {}\n",
     [("a.b", "package", 1, 1, ""), ("M", "message", 3, 5, ""), ("N", "message", 8, 8, "")]),
    ("solidity", "abstract contract C {\n  event E(\n    uint a\n  );\n  event F();\n\n  modifier only() {\n    _;\n  }\n"
     "  function f(\n    uint a\n  ) public {\n    let := 1\n    let b := 2\n  }\n}\n",
     [("C", "contract", 1, 16, ""), ("E", "event", 2, 4, "C"), ("F", "event", 5, 5, "C"), ("only", "modifier", 7, 9, "C"),
      ("f", "function", 10, 15, "C")]),
    # The body is not indented; the end of a block, or of another kind, ends no function.
    ("fortran", "pure subroutine s(a)\ninterface\nmodule procedure p\nend interface\ntype(t) :: b\nif (a) then\nend if\n"
     "end subroutine s\n\n!> doc\ntype,extends(t) :: u\nend type u\ninteger function n()\nend\n",
     [("s", "function", 1, 8, ""), ("u", "type", 11, 12, ""), ("n", "function", 13, 14, "")]),
    ("ada", "private\npackage body A.B is\n   -- one\n   procedure P\n     (X : T) is\n   begin\n      if X then\n      end if;\n"
     "   end P;\n\n   protected type Q is\n   end Q;\nend A.B;\n",
     [("A.B", "package", 2, 13, ""), ("P", "function", 4, 9, "A.B"), ("Q", "protected", 11, 12, "A.B")]),
    ("cobol", "       PROGRAM-ID. A.\n      * no\n       FD  F\n           RECORD CONTAINS 4 CHARACTERS\n       PROCEDURE DIVISION.\n"
     "           COPY\n               OUTREC.\n       100-MAIN SECTION.\n           STOP RUN.\n       200-END.\n",
     [("A", "paragraph", 1, 7, ""), ("100-MAIN", "section", 8, 9, ""), ("200-END", "paragraph", 10, 10, "")]),
    ("gdscript", "class_name A extends Node\n\nsignal done\n@export var speed := 1\n\n\n## Doc.\nfunc f() -> void:\n\tvar b = 1\n"
     "\tb += 1\n\nclass B:\n\tfunc g():\n\t\tpass\n",
     [("A", "class", 1, 1, ""), ("done", "signal", 3, 3, ""), ("speed", "variable", 4, 4, ""), ("f", "function", 8, 10, ""),
      ("B", "class", 12, 14, ""), ("g", "function", 13, 14, "B")]),
    ("assembly", "# trap:\n.globl swtch\nswtch:\n        sd ra, 0(a0)\n1:\n        ret\n", [("swtch", "label", 3, 6, "")]),
    ("elm", "port module A exposing (..)\n\n\ntype alias M =\n    { a : Int\n    }\n\n\n-- MAIN\n\n\nmain : Program\nmain =\n    a\n",
     [("A", "module", 1, 1, ""), ("M", "type", 4, 6, ""), ("main", "function", 12, 14, "")]),
    ("nim", "proc f*(a: int): int =\n  let b = a\n  b\nconst c = 1\n\nproc g() = discard\n",
     [("f", "function", 1, 3, ""), ("g", "function", 6, 6, "")]),
    ("ocaml", "let f x =\n  let y = x in\n  iter (fun error -> y)\n\n(** of M *)\nmodule M = struct\n  let g = 1\nend\n",
     [("f", "let", 1, 3, ""), ("M", "module", 6, 8, ""), ("g", "let", 7, 7, "M")]),
    ("vim", "let s:Path = {}\nfunction! s:Path.New(a) abort\n  let l:b = a:a\n  let self.c = 1\nendfunction\n\n\" doc\ncommand! -nargs=1 Go :x\n",
     [("s:Path", "variable", 1, 1, ""), ("s:Path.New", "function", 2, 5, ""), ("Go", "variable", 8, 8, "")]),
    ("sql", "{% macro star(a={}) -%}\n  {{ return(a) }}\n{%- endmacro %}\n\n{% test t(m) %}\nselect 1\n{% endtest %}\n",
     [("star", "macro", 1, 3, ""), ("t", "test", 5, 7, "")]),
    ("latex", "\\chapter{Methods}\n\\section*{The \\emph{mixed} model}\\label{a}\ntext\n% \\section{no}\n\\section[Short]{Priors}\n",
     [("Methods", "section", 1, 5, ""), ("The mixed model", "section", 2, 4, "Methods"), ("Priors", "section", 5, 5, "Methods")]),
    # An item of a list has the name that it says.
    ("yaml", "- name: 'Install it.'  # now\n  package: x\n- name: \"{{ item }}\"\n- hosts: all\n",
     [("Install it", "key", 1, 2, ""), ("package", "key", 2, 2, "Install it"), ("name", "key", 3, 3, ""), ("hosts", "key", 4, 4, "")]),
    ("make", "CC := gcc\nA ::= b\nall: x\n\techo\n", [("CC", "variable", 1, 1, ""), ("A", "variable", 2, 2, ""), ("all", "target", 3, 4, "")]),
    ("verilog", "module top;\n  function automatic [7:0] f(input a);\n  endfunction\nendmodule\n",
     [("top", "module", 1, 4, ""), ("f", "function", 2, 3, "top")]),
    ("lisp", "(define-key map 'a 'b)\n(defalias 'f 'g)\n(define (h x)\n  x)\n", [("f", "defalias", 2, 2, ""), ("h", "define", 3, 4, "")]),
    ("julia", "function f(x)::Union{A, B}\n    x\nend\n\nstruct S end\n\n\"\"\"\n    g(x)\n\"\"\"\nfunction g(x) 1 end\n",
     [("f", "function", 1, 3, ""), ("S", "struct", 5, 5, ""), ("g", "function", 10, 10, "")]),
    ("groovy", "package a.b\n\nimport c\nclass D {\n  def f() {\n    def x = 1\n  }\n}\n",
     [("a.b", "package", 1, 1, ""), ("D", "class", 4, 8, ""), ("f", "function", 5, 7, "D")]),
    ("nix", "{ lib }:\n{\n  options.age = {\n    a = 1;\n  };\n  x = lib.y;\n}\n", [("options.age", "attribute", 3, 5, "")]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "expected"), WHOLE)
def test_defines_this_and_nothing_else(
    language: str, source: str, expected: list[tuple[str, str, int, int, str]]
) -> None:
    found = analyse(source.encode(), language).definitions
    assert [(d.name, d.kind, d.start, d.end, d.parent) for d in found] == expected


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("solidity", 'import {A} from "../a.sol";\nfunction f() {\n  require(ok, "FAILED");\n}\n', ["../a.sol"]),
        (
            "elm",
            "import Browser.Navigation as Nav\nimport Html exposing (..)\nf =\n    source\n",
            ["Browser.Navigation", "Html"],
        ),
        ("haxe", "import a.b.C;\nimport a.d.*;\nusing E;\n", ["a.b.C", "a.d", "E"]),
        ("lean", "public import A.B\nimport all A.C\n", ["A.B", "A.C"]),
        ("gleam", "import a/list.{type A, b}\n", ["a/list"]),
        ("objc", '#import <A/A.h>\n#import "b.h"\n@import C;\nusing d::e;\n', ["A/A.h", "b.h"]),
        ("r", 'x <- open("file")\nlibrary(dplyr)\nsource("a.R")\n', ["a.R"]),
    ],
)
def test_only_an_import_imports(language: str, source: str, expected: list[str]) -> None:
    assert [one.module for one in analyse(source.encode(), language).imports] == expected


@pytest.mark.parametrize("language", CASES)
@pytest.mark.parametrize("form", ["CRLF", "UTF-8 with a mark", "UTF-16"])
def test_the_form_of_a_text_changes_no_definition(language: str, form: str) -> None:
    source, _ = CASES[language]
    stored = {
        "CRLF": source.replace("\n", "\r\n").encode(),
        "UTF-8 with a mark": source.encode("utf-8-sig"),
        "UTF-16": source.encode("utf-16"),
    }[form]
    assert analyse(stored, language).definitions == analyse(source.encode(), language).definitions


def test_queries_are_ready_soon() -> None:
    """Each process prepares them anew: a list of Swift's operators once took a minute, here all take one second."""
    code = (
        "import sys, time\nfrom zeroin.parsing.grammars import query_for\n"
        "for language in sys.argv[1:]: query_for(language)\nprint(time.process_time())"
    )
    done = subprocess.run([sys.executable, "-c", code, *GRAMMAR_LANGUAGES], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 15
